#!/usr/bin/env bash
# Usage: tools/names.sh INTO OBJECT...
# Writes names.h for the public headers, src/base and src/lua, below the folder INTO. They give each
# function that one object (compiled for 2D) offers to others a name for 2D and another for 3D.
set -euo pipefail
cd "$(dirname "$0")/.."
into=$1
shift

names=$(nm -g --defined-only "$@" | awk 'NF == 3 { sub(/_2d$/, "", $3); print $3 }' |
    grep -v '^luaopen_' | sort -u)
public=$(grep -ohE '\bbs_[a-z0-9_]+\(' include/broadside/*.h | tr -d '(' | sort -u)

mkdir -p "$into/include/broadside" "$into/src/base" "$into/src/lua"
header() { # header FILE GUARD WHAT INCLUDE: names on standard input
    {
        printf '/*\n * names.h: %s\n *\n * Made by `make names`.\n */\n' "$3"
        printf '#ifndef %s\n#define %s\n\n%s\n\n' "$2" "$2" "$4"
        sed 's/.*/#define & BS_NAMED(&)/'
        printf '\n#endif\n'
    } >"$into/$1"
}

named='#define BS_NAMED(name) BS_NAMED_FOR(name, DIM)
#define BS_NAMED_FOR(name, dim) BS_PASTE_NAME(name, dim)
#define BS_PASTE_NAME(name, dim) name##_##dim##d'

comm -12 <(echo "$names") <(echo "$public") | header include/broadside/names.h BS_NAMES_H \
    'a function that is called bs_x here is bs_x_2d or bs_x_3d to the linker, so that
 * programs can have both.' "$named"
comm -23 <(echo "$names") <(echo "$public") | grep -v '^bsl_' | header src/base/names.h BS_CORE_NAMES_H \
    "renames the core's symbols for 2D and 3D, as broadside/names.h does for the public ones." \
    '#include "broadside/names.h"'
grep '^bsl_' <<<"$names" | header src/lua/names.h BSL_NAMES_H \
    "renames the binding's symbols for 2D and 3D, as broadside/names.h does for the core's." \
    '#include "broadside/names.h"'
