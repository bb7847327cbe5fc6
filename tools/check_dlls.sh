#!/bin/sh
# Usage: tools/check_dlls.sh FOLDER LUA_DLL
# Checks the libraries for 64-bit Windows in FOLDER. Each must export only its entry point. It must
# only need that library of Lua (lua51.dll, which LÖVE also has) and libraries that every Windows
# has. It must have the back ends for AVX2.
set -eu

for dim in 2 3; do
    dll=$1/d$dim.dll
    headers=$(x86_64-w64-mingw32-objdump -p "$dll")
    exported=$(echo "$headers" | awk '/^\[Ordinal\/Name Pointer\] Table/ { on = 1; next }
        on && NF == 0 { exit } on { print $NF }' | xargs)
    needed=$(echo "$headers" | awk '/DLL Name:/ { print $3 }' | sort | xargs)
    if [ "$exported" != "luaopen_broadside_d$dim" ]; then
        echo "$dll exports: $exported" >&2
        exit 1
    fi
    if [ "$needed" != "KERNEL32.dll $2 msvcrt.dll" ]; then
        echo "$dll needs: $needed" >&2
        exit 1
    fi
    if [ "$(x86_64-w64-mingw32-objdump -d --no-show-raw-insn "$dll" | grep -c '%ymm')" = 0 ]; then
        echo "$dll has no AVX instructions" >&2
        exit 1
    fi
    echo "$dll exports $exported, needs $needed"
done
