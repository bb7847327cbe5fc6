#!/bin/sh
# Usage: tools/check_archive.sh NM ARCHIVE
# Checks an archive of 2D and 3D with the command NM. No two functions may have the same name for
# the linker. It may only need functions of Lua, and those of the C library that the packages for
# macOS and Android know (tools/sdk). So a build for Linux shows whether these packages can still be
# made.
set -eu

nm=$1
archive=$2

fail() {
    echo "$archive $*" >&2
    exit 1
}

# Prints the names on standard input that are not in the list.
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
