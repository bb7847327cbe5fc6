#!/bin/sh
# Usage: tools/check_macos.sh FOLDER
# Checks the libraries for macOS in FOLDER. Each must be a bundle for both processors that exports
# only its entry point, needs only the C library, looks up only Lua's names, and runs on macOS 10.13
# (ARM64: 11). The code for ARM64 must be signed, with the right hashes of its pages.
set -eu

llvm() {
    tool=$(clang -print-prog-name="llvm-$1")
    shift
    "$tool" "$@"
}

fail() {
    echo "$file: $*" >&2
    exit 1
}

for dim in 2 3; do
    file=$1/d$dim.so
    [ "$(llvm lipo -archs "$file" | tr ' ' '\n' | sort | xargs)" = "arm64 x86_64" ] ||
        fail "is for $(llvm lipo -archs "$file")"
    for processor in arm64 x86_64; do
        headers=$(llvm objdump --macho --arch=$processor --private-headers "$file")
        echo "$headers" | grep -q ' BUNDLE ' || fail "is no bundle"
        exported=$(llvm nm --arch $processor -gU "$file" | awk 'NF == 3 { print $3 }' | xargs)
        [ "$exported" = "_luaopen_broadside_d$dim" ] || fail "exports $exported"
        needed=$(echo "$headers" |
            awk '/LC_LOAD_DYLIB/ { on = 1 } on && $1 == "name" { print $2; on = 0 }')
        [ "$needed" = /usr/lib/libSystem.B.dylib ] || fail "needs $needed"
        others=$(llvm nm --arch $processor -mu "$file" |
            grep 'dynamically looked up' | grep -vE ' _luaL?_' || :)
        [ -z "$others" ] || fail "looks up $others"
        oldest=$(echo "$headers" | awk '$1 == "minos" || /LC_VERSION_MIN_MACOSX/ && (on = 1) {
            if ($1 == "minos") print $2 } on && $1 == "version" { print $2; exit }')
        ! echo "$headers" | grep -q __eh_frame || fail "has tables that the linker has not moved"
        [ "$processor:$oldest" = arm64:11.0 ] || [ "$processor:$oldest" = x86_64:10.13 ] ||
            fail "needs macOS $oldest on $processor"
    done
    lua5.4 spec/dist/signature.lua "$file" || fail "is not signed as it should be"
    echo "$file exports ${exported#_}, needs ${needed##*/}, and is signed for ARM64"
done
