#!/bin/sh
# Usage: eval "$(tools/env.sh BUILD NAME)"
# Prints shell lines that make the Lua called NAME first look for Lua files in this tree, and for
# modules in the folder BUILD. The defaults, or what was set before, remain behind these.
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

# Lua reads LUA_PATH_5_4 instead of LUA_PATH if it is set, so that one is extended, too.
prepend() {
    printf 'export %s=%s"${%s:-;}"\n' "$1" "$(quote "$2;")" "$1"
    if [ -n "$suffix" ]; then
        printf 'if [ -n "${%s+set}" ]; then export %s=%s"$%s"; fi\n' \
            "$1$suffix" "$1$suffix" "$(quote "$2;")" "$1$suffix"
    fi
}

prepend LUA_PATH "$root/lua/?.lua;$root/lua/?/init.lua"
prepend LUA_CPATH "$build/?.so"
