#!/bin/bash
# Usage: tools/check_rock.sh COMPILER VERSION INTERPRETER...
# Packs the source rock as `make dist` does, installs it without a network for that version of Lua
# into a tree of its own, and requires it there under each interpreter. Then it checks the modules.
# They must export only the entry point, and have no writable data that all Lua states would share.
# If this processor can fuse multiplications with additions, none may be fused.
set -euo pipefail

compiler=$1
version=$2
shift 2
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

flags="-O2 -fPIC"
fused="no pattern"
case $("$compiler" -dumpmachine) in
x86_64-*)
    fused="vfn\{0,1\}m\(add\|sub\)"
    ! grep -qw fma /proc/cpuinfo || flags="$flags -mfma"
    ;;
aarch64-*) fused="\bfn\{0,1\}m\(add\|sub\|la\|ls\)\b" ;;
esac

fail() {
    echo "the rock by $compiler: $*" >&2
    exit 1
}

check_module() { # check_module MODULE NAME
    local exported shared
    exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | xargs)
    [ "$exported" = "luaopen_broadside_$2" ] || fail "$2 exports: $exported"
    # The compiler adds some data itself (completed.0 and the like), which does not count.
    shared=$(objdump -t "$1" |
        awk 'NF >= 4 && $(NF - 2) ~ /^\.(data|bss|tdata|tbss)$/ && $NF !~ /^(completed\.[0-9]+|\.?_.*)$/ &&
            $(NF - 1) !~ /^0+$/ { print $NF }' | xargs)
    [ -z "$shared" ] || fail "$2 has variables that all states share: $shared"
    objdump -d --no-show-raw-insn "$1" >"$temp/code.txt"
    ! grep -m 5 "$fused" "$temp/code.txt" >&2 || fail "$2 has fused operations"
}

# If this process can make a namespace, it really has no network.
offline=$(unshare -n true 2>/dev/null && echo unshare -n || true)
make -s dist-rock DIST="$temp"
# shellcheck disable=SC2086 # two words, or none
(cd "$temp" && http_proxy=127.0.0.1:9 https_proxy=127.0.0.1:9 $offline \
    luarocks --lua-version "$version" install --tree "$temp/tree" ./*.src.rock \
    CC="$compiler" LD="$compiler" CFLAGS="$flags" >"$temp/log" 2>&1) || fail "$(cat "$temp/log")"
for dim in 2 3; do
    check_module "$temp/tree/lib/lua/$version/broadside/d$dim.so" d$dim
done

unset "LUA_PATH_${version/./_}" "LUA_CPATH_${version/./_}"
export LUA_PATH="$temp/tree/share/lua/$version/?.lua;$temp/tree/share/lua/$version/?/init.lua;;"
export LUA_CPATH="$temp/tree/lib/lua/$version/?.so;;"
for lua in "$@"; do
    (cd / && "$lua" -e '
        local broadside = require("broadside")
        local world, space = broadside.newWorld(), broadside.newWorld({ dim = 3 })
        world:insert(0, 0, 2, 2)
        world:insert(1, 1, 2, 2)
        space:insert(0, 0, 0, 2, 2, 2)
        space:insert(1, 1, 1, 2, 2, 2)
        assert(world:countPairs() == 1 and space:countPairs() == 1)
        print((jit and jit.version or _VERSION) .. ": the rock works")
    ')
done
