#!/bin/sh
# Usage: tools/check_android.sh FOLDER LIBRARY
# Checks the libraries for Android in FOLDER, one for each processor. Each must export only its
# entry point. It must need only the C library, the mathematics library, and LIBRARY for Lua. Its
# segments must be on pages of 16 KiB, its text must not be written to, and Android 5 must be able
# to read its table of names.
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

machine_of() {
    case $1 in
    arm64-v8a) echo AArch64 ;;
    armeabi-v7a) echo ARM ;;
    x86_64) echo Advanced Micro Devices X86-64 ;;
    esac
}

for abi in arm64-v8a armeabi-v7a x86_64; do
    for dim in 2 3; do
        file=$1/$abi/broadside.d$dim.so
        told=$(llvm readelf -W -h -l -d "$file")
        machine=$(echo "$told" | sed -n 's/^ *Machine: *//p')
        [ "$machine" = "$(machine_of $abi)" ] || fail "is for $machine"
        exported=$(llvm nm -D --defined-only "$file" | awk '{ print $3 }' | xargs)
        [ "$exported" = "luaopen_broadside_d$dim" ] || fail "exports $exported"
        needed=$(echo "$told" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | xargs)
        [ "$needed" = "$(printf '%s\n' libc.so libm.so "$2" | sort | xargs)" ] || fail "needs $needed"
        pages=$(echo "$told" | awk '$1 == "LOAD" { print $NF }' | sort -u | xargs)
        [ "$pages" = 0x4000 ] || fail "has pages of $pages"
        ! echo "$told" | grep -q TEXTREL || fail "writes to its text"
        echo "$told" | grep -q '(HASH)' || fail "has no table of names for Android 5"
        # The names of the C library must be those of API 21.
        llvm nm -D --undefined-only "$file" | awk '$2 !~ /^luaL?_/ { print $2 }' |
            grep -vxF "$(cat tools/sdk/android/*.txt)" && fail "needs these names"
    done
    echo "$1/$abi exports its entry points, needs $needed, on pages of 16 KiB"
done
