#!/bin/sh
# Usage: spec/love/compare.sh NAME FOLDER
# Plays an example in LÖVE without a display, and writes a picture to FOLDER. Also plays it in
# LuaJIT and in Lua 5.4 without LÖVE. Fails if the games do not end in the same state.
set -u

name=$1
folder=$2

# Without these variables, the examples find what `make LUA=luajit` has built.
in_love() {
    unset LUA_PATH LUA_CPATH
    SDL_VIDEODRIVER=offscreen timeout --kill-after=5 300 \
        love spec/love "$name" "$folder/$name.png" 2>"$folder/$name.log"
}

without() {
    eval "$(tools/env.sh "build/$1" "$1")"
    timeout --kill-after=5 300 "$1" spec/love/without.lua "$name"
}

if ! expected=$(in_love) || [ -z "$expected" ]; then
    echo "$name: failed in LÖVE" >&2
    cat "$folder/$name.log" >&2
    exit 1
fi
grep "^$name:" "$folder/$name.log"
for lua in luajit lua5.4; do
    if ! got=$(without "$lua") || [ "$got" != "$expected" ]; then
        echo "$name: LÖVE ends with $expected, $lua with $got" >&2
        exit 1
    fi
done
echo "$name: LÖVE, LuaJIT and Lua 5.4 end in the same state: $expected"
