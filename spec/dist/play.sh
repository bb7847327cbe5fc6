#!/bin/bash
# Usage: spec/dist/play.sh SYSTEM ZIP LUA...
# Unpacks the package in an empty folder and plays it there under each LUA, a command. Compares the
# answers to a program of random calls (spec/determinism) by their hash. Then moves and renames the
# folder, and plays the package again. Checks the messages for missing libraries and for libraries
# of another Lua. On Linux on this machine it also runs the command that such a message suggests.
# The libraries must not need a newer C library than doc/install.md says.
set -euo pipefail

system=$1
zip=$(readlink -f "$2")
shift 2
root=$PWD
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
unset LUA_PATH LUA_CPATH LUA_INIT LUA_PATH_5_4 LUA_CPATH_5_4 LUA_INIT_5_4
export WINEPREFIX="$root/build/wine" WINEDEBUG=-all

fail() {
    echo "$system: $*" >&2
    exit 1
}

run() { # run LUA ARGUMENT...: LUA may be a command with arguments, so it is split
    local lua=$1
    shift
    # shellcheck disable=SC2086
    $lua "$@" | tr -d '\r'
}

says() { # says LUA TEXT...: require must fail, with a message of one line that has each TEXT
    local lua=$1 said
    shift
    said=$(run "$lua" -e 'print((select(2, pcall(require, "broadside"))))')
    [ "$(echo "$said" | wc -l)" = 1 ] || fail "not one line: $said"
    for text in "$@"; do
        [[ $said == *"$text"* ]] || fail "it is not said: $text; but $said"
    done
}

cd "$temp"
unzip -q "$zip"
[ "$(echo *)" = "broadside broadside.lua" ] || fail "this is in the package: $(ls)"
[ "$(wc -l <broadside/README.txt)" = 3 ] || fail "the readme has not three lines"
for file in LICENSE types/library/broadside.lua types/library/broadside/2d.lua; do
    [ -s "broadside/$file" ] || fail "no $file"
done

case $system in
linux-*)
    newest=$([ "$system" = linux-x64 ] && echo 2.14 || echo 2.17)
    for library in broadside/lua5*/*.so; do
        needed=$(readelf -W --dyn-syms "$library" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
        [ "$needed" = "GLIBC_$newest" ] || fail "$library needs $needed"
    done
    ;;
macos)
    for lua in lua51 lua54; do
        (cd "$root" && tools/check_macos.sh "$temp/broadside/$lua-macos")
    done
    ;;
windows-*)
    for lua in lua51 lua54; do
        "$root/tools/check_dlls.sh" broadside/$lua-windows-x64 $lua.dll
    done
    ;;
esac

for lua in "$@"; do
    run "$lua" "$root/spec/dist/play.lua" broadside
    hash=$(LUA_PATH="./?.lua;./?/init.lua;$root/?.lua" run "$lua" "$root/spec/determinism/work.lua")
    grep -qxF "$hash" "$root/spec/determinism/expected.txt" || fail "another hash: $hash"
    echo "    $hash"
    mkdir -p lib/physics
    mv broadside lib/physics/aabb
    mv broadside.lua lib/physics/aabb.lua
    run "$lua" "$root/spec/dist/play.lua" lib.physics.aabb
    mv lib/physics/aabb broadside
    mv lib/physics/aabb.lua broadside.lua
done

# Only the libraries of the other Lua are there, then one of them in the wrong place.
ending=$([ "$system" = windows-x64 ] && echo dll || echo so)
for lua in "$@"; do
    version=$(run "$lua" -e 'print(_VERSION)')
    case $version in
    "Lua 5.1") abi=lua51 other=lua54 others="Lua 5.4" ;;
    *) abi=lua54 other=lua51 others="Lua 5.1" ;;
    esac
    mkdir kept
    mv "broadside/$abi-$system" kept
    says "$lua" "only $other-$system" "$version" "unpack Broadside's package for $system"
    cp "broadside/$other-$system/d2.$ending" broadside
    says "$lua" "d2.$ending is for $others on $system" "$version" "type in"
    rm "broadside/d2.$ending"
    mv kept/* broadside
    rmdir kept
done

# Without any library, the suggested command must build it.
if [ "$system" = "linux-x64" ]; then
    rm -r broadside/lua5*
    said=$($1 -e 'print((select(2, pcall(require, "broadside"))))')
    command=${said##*: }
    (cd "$root" && eval "${command/make /make -s WERROR= }") || fail "this does not work: $command"
    run "$1" "$root/spec/dist/play.lua" broadside
fi
