#!/bin/sh
# Usage: tools/install.sh THING...
# Makes sure that each THING is on this machine, and installs what is missing where apt-get can
# (as root, or through sudo without a password). Otherwise it names what is missing and fails.
# When nothing is missing it installs nothing and asks no network.
#
# Things: cc make lua5.1 lua5.2 lua5.3 lua5.4 luajit (interpreter and headers) busted:NAME (busted
# under that Lua) luacheck clang clang-format clang-tidy luarocks love offscreen (what lets it draw
# without a display) zip pngquant ldoc mingw64 (the compiler for 64-bit Windows) wine64
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
cc=${CC:-cc}

have() {
    command -v "$1" >/dev/null 2>&1
}

compiles() {
    printf '#include <math.h>\n' | "$cc" -fsyntax-only -x c - >/dev/null 2>&1
}

# Whoever says LUA_CFLAGS= has headers of their own.
has_headers() {
    [ -n "${LUA_CFLAGS:-}" ] || "$root/tools/lua_cflags.sh" "$1" >/dev/null
}

# A file of that name among the libraries of this machine.
has_file() {
    for folder in /usr/lib/*-linux-gnu* /usr/lib64 /usr/lib /usr/local/lib; do
        [ ! -e "$folder/$1" ] || return 0
    done
    return 1
}

is_there() {
    case $1 in
    cc) compiles ;;
    lua5.* | luajit) have "$1" && has_headers "$1" ;;
    busted:*) "${1#busted:}" "$root/tools/specs.lua" --version >/dev/null 2>&1 ;;
    offscreen) has_file libEGL.so.1 && has_file libGL.so.1 && has_file dri/swrast_dri.so ;;
    mingw64) have x86_64-w64-mingw32-gcc ;;
    wine64) has_file wine/wine64 ;;
    ldoc) have ldoc && [ -e /usr/share/lua/5.1/markdown.lua ] ;;
    *) have "$1" ;;
    esac
}

packages_of() {
    case $1 in
    cc) echo gcc libc6-dev ;;
    lua5.*) echo "$1" "lib$1-dev" ;;
    luajit) echo luajit libluajit-5.1-dev ;;
    busted:*) echo lua-busted ;;
    luacheck) echo lua-check ;;
    offscreen) echo libegl1 libgl1 libgl1-mesa-dri ;;
    ldoc) echo lua-ldoc lua-markdown ;;
    mingw64) echo gcc-mingw-w64-x86-64 ;;
    *) echo "$1" ;;
    esac
}

missing() {
    for thing in "$@"; do
        is_there "$thing" || echo "$thing"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif have sudo && sudo -n true 2>/dev/null; then
        sudo -n "$@"
    else
        return 1
    fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
        -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}

# The lists of packages may be missing or old: they are fetched when it does not work without.
install() {
    apt install --no-install-recommends "$@" 2>/dev/null && return
    apt update && apt install --no-install-recommends "$@"
}

give_up() {
    echo "These are missing and could not be installed here:" >&2
    for thing in "$@"; do
        echo "    $thing (Debian and Ubuntu: $(packages_of "$thing"))" >&2
    done
    echo "Install them, for example with: apt-get install $packages" >&2
    exit 1
}

wanted=$(missing "$@")
[ -n "$wanted" ] || exit 0

# The names hold no spaces: they are split on purpose from here on.
packages=$(for thing in $wanted; do packages_of "$thing"; done | tr ' ' '\n' | sort -u | xargs)

if ! have apt-get || ! as_root true; then
    give_up $wanted
fi
echo "Installing: $packages" >&2
install $packages
left=$(missing "$@")
[ -z "$left" ] || give_up $left
