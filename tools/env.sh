#!/bin/sh
# Usage: eval "$(tools/env.sh BUILD NAME)"
# Prints shell lines that put this tree's Lua files, and the modules built in the folder BUILD for
# the Lua called NAME, in front of where Lua looks. The defaults, or what was set before, stay.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
case $1 in
/*) build=$1 ;;
*) build=$root/$1 ;;
esac
case $2 in
lua5.[2-9]) suffix=_$(printf '%s' "${2#lua}" | tr . _) ;;
*) suffix= ;;
esac

quote() {
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# Lua reads LUA_PATH_5_4 instead of LUA_PATH, so that one is extended too where it is in use.
prepend() {
    printf 'export %s=%s"${%s:-;}"\n' "$1" "$(quote "$2;")" "$1"
    if [ -n "$suffix" ]; then
        printf 'if [ -n "${%s+set}" ]; then export %s=%s"$%s"; fi\n' \
            "$1$suffix" "$1$suffix" "$(quote "$2;")" "$1$suffix"
    fi
}

prepend LUA_PATH "$root/lua/?.lua;$root/lua/?/init.lua"
prepend LUA_CPATH "$build/?.so"
