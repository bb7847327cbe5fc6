#!/bin/sh
# Usage: tools/check_objects.sh COMPILER FOLDER
# Compiles the sources into FOLDER as LuaRocks does, without the Makefile's flags, and looks at the
# result: nothing but the module's entry point may be exported, nothing may be written to that all Lua
# states share, and, where the processor has it, no multiplication may have been fused with an
# addition.
set -eu

compiler=$1
folder=$2
lua_cflags=$(tools/lua_cflags.sh lua5.4)
case $("$compiler" -dumpmachine) in
x86_64-*) extra="-mfma" fused="vfn\{0,1\}m\(add\|sub\)" ;;
aarch64-*) extra="" fused="\bfn\{0,1\}m\(add\|sub\|la\|ls\)\b" ;;
*) extra="" fused="^no pattern$" ;;
esac
mkdir -p "$folder"

for dim in 2 3; do
    module=$folder/d$dim.so
    # The flags are split on purpose.
    "$compiler" -O2 $extra -fPIC -shared -DDIM=$dim $lua_cflags -o "$module" src/*.c src/lua/*.c -lm
    exported=$(nm -D --defined-only "$module" | awk '{ print $3 }' | xargs)
    if [ "$exported" != "luaopen_broadside_d$dim" ]; then
        echo "$module ($compiler) exports: $exported" >&2
        exit 1
    fi
    # What the compiler itself puts there (completed.0 and the like) is not from the sources.
    shared=$(objdump -t "$module" |
        awk 'NF >= 4 && $(NF - 2) ~ /^\.(data|bss|tdata|tbss)$/ && $NF !~ /^(completed\.[0-9]+|\.?_.*)$/ &&
            $(NF - 1) !~ /^0+$/ { print $NF }' | xargs)
    if [ -n "$shared" ]; then
        echo "$module ($compiler) has variables that all states share: $shared" >&2
        exit 1
    fi
    if objdump -d --no-show-raw-insn "$module" | grep "$fused" >"$folder/fused.txt"; then
        echo "$module ($compiler) has fused operations:" >&2
        head -n 5 "$folder/fused.txt" >&2
        exit 1
    fi
done
