#!/bin/bash
# Usage: spec/dist/play_android.sh ZIP ABI=SYSROOT=LUA...
# Unpacks the package for Android in an empty folder and checks its libraries. Then it plays those
# of each ABI under LUA, a command that runs them here with the C library in SYSROOT (which has
# another name on Android). All answers are compared by their hash.
set -euo pipefail

zip=$(readlink -f "$1")
shift
root=$PWD
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
unset LUA_PATH LUA_CPATH LUA_INIT

cd "$temp"
unzip -q "$zip"
[ "$(echo *)" = "README.txt broadside broadside.lua love-android-11 love-android-12" ] ||
    { echo "this is in the package: $(ls)" >&2; exit 1; }

for love in 11:liblove.so 12:libluajit.so; do
    libraries=$temp/love-android-${love%:*}/app/src/main/jniLibs
    (cd "$root" && tools/check_android.sh "$libraries" "${love#*:}")
    for way in "$@"; do
        IFS='=' read -r abi sysroot lua <<<"$way"
        mkdir -p "$temp/$abi"
        ln -sf "$sysroot/libc.so.6" "$temp/$abi/libc.so"
        ln -sf "$sysroot/libm.so.6" "$temp/$abi/libm.so"
        # Here the program contains Lua's functions, so any library can take the place of Lua's.
        ln -sf "$sysroot/libdl.so.2" "$temp/$abi/${love#*:}"
        read -ra command <<<"${lua//@LIBRARIES@/$temp/$abi}"
        export APK=$libraries/$abi LUA_PATH="./?.lua;./?/init.lua;$root/?.lua"
        "${command[@]}" -e "dofile('$root/spec/dist/android.lua')" "$root/spec/dist/play.lua" broadside
        hash=$("${command[@]}" -e "dofile('$root/spec/dist/android.lua')" \
            "$root/spec/determinism/work.lua")
        grep -qxF "$hash" "$root/spec/determinism/expected.txt" ||
            { echo "$abi: another hash: $hash" >&2; exit 1; }
        echo "    $abi for LÖVE ${love%:*}: $hash"
        rm "$temp/$abi/${love#*:}"
    done
done
