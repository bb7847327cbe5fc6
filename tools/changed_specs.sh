#!/bin/sh
# Usage: git status --porcelain --no-renames -uall | tools/changed_specs.sh
# Prints the specs of the files that have changed, and first "spec/core" if C of the core or one of
# its tests has. If it prints nothing, all of them have to run; this is so if nothing has changed, too.
set -u
cd "$(dirname "$0")/.." || exit 1

# The specs of a file. Most files that no line here names are loaded or read by some spec.
specs_of() { # specs_of PATH
    case $1 in
    *_spec.lua) echo "$1" ;;
    src/*)
        folder=${1#src/}
        echo "spec/${folder%%/*}"/*_spec.lua
        ;;
    lua/broadside/*)
        name=${1#lua/}
        name=${name%.lua}
        if [ -f "spec/${name}_spec.lua" ]; then
            echo "spec/$name"_spec.lua "spec/$name"_*_spec.lua
        else
            echo spec/broadside/*_spec.lua spec/broadside/*/*_spec.lua
        fi
        ;;
    examples/*) echo spec/examples/*_spec.lua ;;
    *)
        module=$(echo "${1%.lua}" | tr / .)
        grep -lF -e "$1" -e "\"$module\"" spec/*/*_spec.lua spec/*/*/*_spec.lua
        ;;
    esac
}

# Removes git's two letters and the space behind them.
paths=$(sed 's/^...//')
[ -n "$paths" ] || exit 0
for path in $paths; do
    case $path in
    *_spec.lua) ;;
    Makefile | *.mk | .busted | include/* | src/base/* | src/simd/* | spec/support/* | \
        tools/spec* | tools/run_tests.sh | tools/env.sh) exit 0 ;;
    esac
done

for path in $paths; do
    case $path in
    src/lua/*) ;;
    src/* | spec/core/*)
        echo spec/core
        break
        ;;
    esac
done

# Pages and comments name files, so these specs always run.
{
    echo spec/project/*_spec.lua
    for path in $paths; do
        specs_of "$path"
    done
} | tr ' ' '\n' | sort -u | while read -r spec; do
    [ ! -f "$spec" ] || echo "$spec"
done
