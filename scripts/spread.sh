#!/usr/bin/env bash
# Spreads a file of positions over processes or machines with GNU parallel and prints all rows in
# the order of the file.
#
#   spread.sh POSITIONS FOLDER [OPTION OF parallel]... -- COMMAND...
#
# COMMAND reads positions on standard input, a line each, such as `outflank solve -`. FOLDER keeps
# what is done: interrupted and started again with the same words, it goes on where it stopped.
#
#   spread.sh ffo.obf work --jobs 2 -- outflank solve - --json --threads 1 --hash 1
#   spread.sh ffo.obf work --sshlogin 2/one,4/two -- outflank solve - --json --threads 1
#
# Each process gets BLOCK positions (environment; 100 if not set). Comments are left out. Numbers
# of rows, totals and heads of tables are those of the blocks.
set -euo pipefail

usage() {
    sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
[ $# -ge 4 ] || usage
file=$1
folder=$2
shift 2
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
done
[ $# -ge 2 ] || usage
shift
block=${BLOCK:-100}

# The log knows blocks by their numbers only, so it must be about these positions and this command.
mkdir -p "$folder/rows"
lines=$(grep -v -e '^[[:space:]]*[%#]' -e '^[[:space:]]*$' -- "$file")
task=$(printf '%s\n' "$block" "$*" "$lines")
if [ ! -e "$folder/task" ]; then
    printf '%s\n' "$task" >"$folder/task"
elif [ "$task" != "$(cat "$folder/task")" ]; then
    echo "spread.sh: $folder holds the rows of other positions or of another command" >&2
    exit 1
fi

# A block that failed, say because its machine went down, is tried again by the next run.
status=0
parallel --quote --pipe --max-args "$block" --joblog "$folder/log" --resume-failed \
    --results "$folder/rows/{#}" "${options[@]}" -- "$@" <<<"$lines" || status=$?

count=$(wc -l <<<"$lines")
blocks=$(((count + block - 1) / block))
done=$(tail -n +2 "$folder/log" | cut -f 1 | sort -u | wc -l)
if [ "$done" -lt "$blocks" ]; then
    echo "spread.sh: $done of $blocks blocks are done; start it again to go on" >&2
    status=1
else
    for ((number = 1; number <= blocks; number++)); do cat "$folder/rows/$number"; done
fi

# Status 1 of a solve says that a score differs, and all rows are there, or that it could not run.
failed=0
error=
while read -r number ended signal; do
    positions=$((number < blocks ? block : count - block * (blocks - 1)))
    rows=$(wc -l <"$folder/rows/$number")
    if [ "$ended$signal" != 00 ] && { [ "$ended" != 1 ] || [ "$rows" -lt "$positions" ]; }; then
        failed=$((failed + 1))
        [ -n "$error" ] || error=$(head -n 1 "$folder/rows/$number.err")
    fi
done < <(awk -F '\t' 'NR > 1 { last[$1] = $7 " " $8 }
    END { for (number in last) print number, last[number] }' "$folder/log" | sort -n)
if [ "$failed" -gt 0 ]; then
    echo "spread.sh: $failed of $blocks blocks failed${error:+, the first says: $error}" >&2
    exit $((status > 0 ? status : 1))
fi
exit "$status"
