#!/usr/bin/env bash
# Format, lints without warnings, all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo fmt --check
cargo clippy --release --all-targets -- -D warnings
cargo test --release
if command -v python3 >/dev/null; then
    (cd scripts && python3 -m unittest test_match test_fuzz test_plots)
else
    echo "SKIPPED: the tests of scripts/*.py need python3"
fi
