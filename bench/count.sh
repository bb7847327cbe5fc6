#!/bin/sh
# Usage: bench/count.sh FIGURES PROGRAM...
# Counts the instructions of each PROGRAM (count.c, built for one variant of the code) and compares
# them with the committed FIGURES. It fails if one has grown by more than 10%. UPDATE=1 writes
# FIGURES. With another compiler the counts differ: then they are shown, but it does not fail.
set -eu

figures=$1
shift
compiler="# $(${CC:-cc} --version | head -n 1)"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Prints a line of variant, workload, subject and instructions for each.
counted() {
    variant=$("$1")
    valgrind --quiet --tool=callgrind --instr-atstart=no --callgrind-out-file="$dir/out" "$1" \
        >/dev/null 2>"$dir/errors" || { cat "$dir/errors" >&2; return 1; }
    for file in "$dir"/out.*; do
        awk -v variant="$variant" '
            /^desc: Trigger:/ { split($NF, name, "."); }
            /^(totals|summary):/ { total = $2 }
            END { if (name[3]) printf "%s %s %s %.0f\n", variant, name[1], name[2], total / name[3] }
        ' "$file"
    done
    rm -f "$dir"/out*
}

for program in "$@"; do
    counted "$program"
done | sort -u >"$dir/now"

if [ "${UPDATE:-}" = 1 ]; then
    {
        echo "# Instructions per frame or query: variant workload back-end count (make bench-count)."
        echo "$compiler"
        cat "$dir/now"
    } >"$figures"
    echo "wrote $figures"
    exit 0
fi

strict=0
if grep -qxF "$compiler" "$figures"; then
    strict=1
else
    echo "counted with another compiler: $compiler"
fi
awk -v strict="$strict" '
    /^#/ { next }
    FNR == NR { before[$1 " " $2 " " $3] = $4; next }
    {
        key = $1 " " $2 " " $3
        if (!(key in before)) { printf "%-30s %12d  new\n", key, $4; next }
        change = ($4 / before[key] - 1) * 100
        printf "%-30s %12d  %+6.1f%%%s\n", key, $4, change, (change > 10 ? "  TOO MANY" : "")
        bad += strict && change > 10
    }
    END {
        if (bad) { printf "%d figures grew by more than 10%% (UPDATE=1 accepts them)\n", bad }
        exit (bad > 0)
    }
' "$figures" "$dir/now"
