#!/bin/sh
# Usage: spec/dist/luas.sh arm64|armel|windows|musl FOLDER
# Builds Lua 5.4 and LuaJIT for that system into FOLDER (as lua and luajit, on Windows with their
# libraries). It takes Debian's source packages and cross compilers. For 32-bit ARM it only builds
# Lua 5.1, and for musl only an archive of Lua 5.4.
set -eu

if [ "$1" = musl ]; then
    mkdir -p "$2/objects"
    [ ! -e "$2/liblua.a" ] || exit 0
    tools/fetch_source.sh lua5.4 "$2"
    echo '#define DEB_HOST_MULTIARCH ""' >"$2/source/src/lua5.4-deb-multiarch.h"
    for file in "$2"/source/src/*.c; do
        case ${file##*/} in lua.c | luac.c) continue ;; esac
        musl-gcc -std=gnu99 -O2 -w -DLUA_USE_POSIX -c -o "$2/objects/$(basename "$file" .c).o" "$file"
    done
    ar rcs "$2/liblua.a" "$2"/objects/*.o
    exit 0
fi

if [ "$1" = armel ]; then
    mkdir -p "$2"
    [ ! -x "$2/lua51" ] || exit 0
    tools/fetch_source.sh lua5.1 "$2"
    echo '#define DEB_HOST_MULTIARCH ""' >"$2/source/src/lua5.1-deb-multiarch.h"
    # shellcheck disable=SC2046 # a list
    arm-linux-gnueabi-gcc -std=gnu99 -O2 -w -DLUA_USE_POSIX -DLUA_USE_DLOPEN -I"$2/source/src" \
        -o "$2/lua51" $(find "$2/source/src" -name '*.c' ! -name luac.c ! -name print.c) -Wl,-E -ldl -lm
    exit 0
fi

mkdir -p "$2/lua" "$2/luajit"
folder=$(cd "$2" && pwd)
tools/fetch_source.sh lua5.4 "$folder/lua"
tools/fetch_source.sh luajit "$folder/luajit"
lua=$folder/lua/source/src
echo '#define DEB_HOST_MULTIARCH ""' >"$lua/lua5.4-deb-multiarch.h" # where Debian keeps libraries
sources=$(find "$lua" -name '*.c' ! -name lua.c ! -name luac.c | sort)

# The variables with names of sources are split on purpose. The names contain no spaces.
# shellcheck disable=SC2086
case $1 in
arm64)
    [ -x "$folder/lua54" ] || aarch64-linux-gnu-gcc -std=gnu99 -O2 -w -DLUA_USE_LINUX -I"$lua" \
        -o "$folder/lua54" $sources "$lua/lua.c" -Wl,-E -ldl -lm
    [ -x "$folder/luajit51" ] || {
        make -s -C "$folder/luajit/source/src" HOST_CC=gcc CROSS=aarch64-linux-gnu- TARGET_SYS=Linux \
            BUILDMODE=static
        cp "$folder/luajit/source/src/luajit" "$folder/luajit51"
    }
    ;;
windows)
    [ -e "$folder/lua54.exe" ] || {
        x86_64-w64-mingw32-gcc -std=gnu99 -O2 -w -DLUA_BUILD_AS_DLL -I"$lua" -shared -static-libgcc \
            -o "$folder/lua54.dll" $sources
        x86_64-w64-mingw32-gcc -std=gnu99 -O2 -w -I"$lua" -static-libgcc -o "$folder/lua54.exe" \
            "$lua/lua.c" "$folder/lua54.dll"
    }
    [ -e "$folder/luajit51.exe" ] || {
        make -s -C "$folder/luajit/source/src" HOST_CC=gcc CROSS=x86_64-w64-mingw32- \
            TARGET_SYS=Windows
        cp "$folder/luajit/source/src/lua51.dll" "$folder"
        cp "$folder/luajit/source/src/luajit.exe" "$folder/luajit51.exe"
    }
    ;;
esac
