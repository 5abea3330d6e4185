#!/usr/bin/env bash
# Compares the last commit (A) and the working tree (B): the signature of the search, which must
# not change by accident, and the speed. Runs A B A B … on one thread and compares medians.
#
#   scripts/bench.sh                      HEAD and the working tree, 5 rounds
#   scripts/bench.sh -r main -n 9         another revision, more rounds
#   scripts/bench.sh -- --depth 12        arguments of `outflank bench`
set -euo pipefail

usage() { sed -n '2,7s/^# \{0,1\}//p' "$0"; }
revision=HEAD
rounds=5
# To getopts, --help is the option - with the argument help.
while getopts "r:n:h-:" option; do
    case $option:${OPTARG-} in
        r:*) revision=$OPTARG ;;
        n:*) rounds=$OPTARG ;;
        h:* | -:help) usage; exit ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.."
case $rounds in '' | *[!0-9]* | 0) echo "the number of rounds must be 1 or more" >&2; exit 2 ;; esac

commit=$(git rev-parse --verify --short=12 "$revision^{commit}")
target=${CARGO_TARGET_DIR:-target}
base=$target/bench/$commit
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# The commit is built once, from a copy that has nothing else in it.
if [ ! -x "$base/outflank" ]; then
    echo "building $revision ($commit)"
    mkdir -p "$base" "$temporary/source"
    git archive "$commit" | tar -x -C "$temporary/source"
    (cd "$temporary/source" && CARGO_TARGET_DIR=$temporary/target cargo build --release --quiet)
    cp "$temporary/target/release/outflank" "$base/outflank"
fi
echo "building the working tree"
cargo build --release --quiet
cp "$target/release/outflank" "$temporary/outflank"

run() { # NAME PROGRAM
    if ! "$2" bench "${@:3}" >"$temporary/out" 2>"$temporary/errors"; then
        echo "$1: bench failed: $(head -1 "$temporary/errors")" >&2
        exit 1
    fi
    # The words after the name of a part: its nodes a second, then the signature.
    awk -v name="$1" '
        /^(midgame|endgame|total) / { for (i = 2; i < NF; i++) if ($i == "nps") print name, $1, $(i + 1) }
        /^signature / { print name, $1, $2 }' "$temporary/out" >>"$temporary/results"
}

for ((round = 1; round <= rounds; round++)); do
    run A "$base/outflank" "$@"
    run B "$temporary/outflank" "$@"
    awk -v round="$round" '$2 == "total" { nps[$1] = $3 }
        END { printf "round %d: A %d B %d nodes a second\n", round, nps["A"], nps["B"] }' \
        "$temporary/results"
done

median() { # NAME PART
    awk -v name="$1" -v part="$2" '$1 == name && $2 == part { print $3 }' "$temporary/results" |
        sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}
for part in midgame endgame total; do
    a=$(median A $part)
    b=$(median B $part)
    awk -v part=$part -v a="$a" -v b="$b" \
        'BEGIN { printf "%-8s A %.0f B %.0f nodes a second, B/A %.4f\n", part, a, b, b / a }'
done
signatures() { awk -v name="$1" '$1 == name && $2 == "signature" { print $3 }' "$temporary/results" | sort -u | tr '\n' ' '; }
a=$(signatures A)
b=$(signatures B)
if [ "$a" = "$b" ]; then echo "signature $a the same"; else echo "signature A $a B $b DIFFERENT"; fi
