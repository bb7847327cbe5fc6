#!/bin/sh
# Usage: tools/check_archive.sh NM ARCHIVE
# Looks, by the command NM, at an archive of 2D and 3D: no two functions have one name to the linker,
# and what it needs are functions of Lua, and of the C library as far as the packages for macOS and
# Android know it (tools/sdk). What is compiled for Linux tells so whether these can still be made.
set -eu

nm=$1
archive=$2

fail() {
    echo "$archive $*" >&2
    exit 1
}

# The names on standard input that are not in the list.
without() { # without LIST
    grep -vxF -e "$1" || :
}

defined=$($nm -g --defined-only "$archive" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort)
begin=$(echo "$defined" | sed -n 's/luaopen_broadside_d2$//p') # Apple's names begin with _
echo "$defined" | grep -qx "${begin}luaopen_broadside_d3" || fail "has not 2D and 3D"
twice=$(echo "$defined" | uniq -d | xargs)
[ -z "$twice" ] || fail "has twice: $twice"

needed=$($nm -u "$archive" 2>/dev/null | awk 'NF && !/:$/ { print $NF }' | sort -u |
    without "$defined" | sed "s/^$begin//" | grep -vE '^luaL?_')
apple=$(grep -o '_[a-z0-9_]*' tools/sdk/libSystem.tbd | cut -c2-)
unknown=$(echo "$needed" | without "$apple" | xargs)
[ -z "$unknown" ] || fail "needs what tools/sdk/libSystem.tbd does not have: $unknown"
if [ -z "$begin" ]; then
    unknown=$(echo "$needed" | without "$(cat tools/sdk/android/*.txt)" | xargs)
    [ -z "$unknown" ] || fail "needs what tools/sdk/android does not list: $unknown"
    for name in $needed; do
        case $name in __*) continue ;; esac # the compiler's own
        grep -qw "$name" tools/sdk/include/*.h || fail "needs $name: tools/sdk/include has it not"
    done
fi
echo "$archive has $(echo "$defined" | wc -l) functions, and needs Lua and the C library"
