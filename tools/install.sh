#!/bin/sh
# Usage: tools/install.sh THING...
# Makes sure that each THING is on this machine. If something is missing, it installs it by apt-get
# (as root, or through sudo without a password). If it cannot, it names what is missing and fails.
# Before it installs anything, it prints what, and how large that is. If nothing is missing, it
# installs nothing and uses no network. With INSTALL=no in the environment, as from `make
# INSTALL=no`, it never installs anything.
#
# A thing is a command whose package has the same name, or one of those in packages_of(): luajit and
# lua5.x stand for interpreter and headers; busted:NAME and lua-socket:NAME for busted and LuaSocket
# under that Lua; offscreen for what LÖVE needs to draw without a display; gcc-m32, gcc-arm64,
# gcc-armel, mingw64, macos, ios and android for compilers for 32 bits, for ARM, for 64-bit Windows,
# and for these three systems; acorn for the parser that Emscripten's optimiser reads JavaScript
# with.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
cc=${CC:-cc}

have() {
    command -v "$1" >/dev/null 2>&1
}

compiles() {
    printf '#include <math.h>\n' | "$cc" -fsyntax-only -x c - >/dev/null 2>&1
}

# Whether the compiler with these flags can link a program.
links() {
    printf '#include <math.h>\nint main(void) { return 0; }\n' |
        "$@" -x c - -lm -o /dev/null >/dev/null 2>&1
}

has_libfuzzer() {
    printf 'int LLVMFuzzerTestOneInput(void) { return 0; }\n' |
        clang -fsanitize=fuzzer -x c - -o /dev/null >/dev/null 2>&1
}

# If LUA_CFLAGS is set, the user has other headers.
has_headers() {
    [ -n "${LUA_CFLAGS:-}" ] || "$root/tools/lua_cflags.sh" "$1" >/dev/null
}

# Whether the libraries of this machine include a file of that name.
has_file() {
    for folder in /usr/lib/*-linux-gnu* /usr/lib64 /usr/lib /usr/local/lib; do
        [ ! -e "$folder/$1" ] || return 0
    done
    return 1
}

# Whether Clang is here, with its linker for other systems and the tools for their packages.
has_llvm() {
    for name in ld.lld ld64.lld llvm-lipo llvm-nm llvm-objcopy llvm-objdump llvm-readelf \
        llvm-strip; do
        have "$(clang -print-prog-name=$name 2>/dev/null)" || return 1
    done
}

is_there() {
    case $1 in
    cc) compiles ;;
    lua5.* | luajit) have "$1" && has_headers "$1" ;;
    busted:*) "${1#busted:}" "$root/tools/specs.lua" --version >/dev/null 2>&1 ;;
    libfuzzer) has_libfuzzer ;;
    offscreen) has_file libEGL.so.1 && has_file libGL.so.1 && has_file dri/swrast_dri.so ;;
    mingw64) have x86_64-w64-mingw32-gcc && have clang ;;
    macos* | ios | android*) has_llvm ;;
    wine64) has_file wine/wine64 ;;
    lua-socket:*) "${1#lua-socket:}" -e 'require("socket")' >/dev/null 2>&1 ;;
    ldoc) have ldoc && [ -e /usr/share/lua/5.1/markdown.lua ] ;;
    acorn) [ -e /usr/share/nodejs/acorn/package.json ] ;;
    gcc-m32) links gcc -m32 ;;
    gcc-arm64) links aarch64-linux-gnu-gcc -static ;;
    gcc-armel) links arm-linux-gnueabi-gcc -static ;;
    *) have "$1" ;;
    esac
}

packages_of() {
    case $1 in
    cc) echo gcc libc6-dev ;;
    lua5.*) echo "$1" "lib$1-dev" ;;
    luajit) echo luajit libluajit-5.1-dev ;;
    busted:*) echo lua-busted ;;
    lua-socket:*) echo lua-socket ;;
    libfuzzer) echo "libclang-rt-$(clang_version)-dev" ;;
    # gcc-multilib would conflict with compilers for other processors.
    gcc-m32) echo "gcc-$(gcc -dumpversion 2>/dev/null | cut -d. -f1)-multilib libc6-dev-i386" ;;
    gcc-arm64) echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
    gcc-armel) echo gcc-arm-linux-gnueabi libc6-dev-armel-cross ;;
    qemu-aarch64 | qemu-arm) echo qemu-user ;;
    musl-gcc) echo musl-tools ;;
    luacheck) echo lua-check ;;
    Xvfb) echo xvfb ;;
    import) echo imagemagick ;;
    offscreen) echo libegl1 libgl1 libgl1-mesa-dri ;;
    ldoc) echo lua-ldoc lua-markdown ;;
    emcc) echo emscripten ;;
    node) echo nodejs ;;
    acorn) echo node-acorn ;;
    mingw64) echo gcc-mingw-w64-x86-64 clang ;;
    macos* | ios | android*) echo clang lld llvm ;;
    dpkg-source) echo dpkg-dev ;;
    *) echo "$1" ;;
    esac
}

# Prints Clang's version, such as 14. If it is not installed, that of the package that `clang`
# stands for.
clang_version() {
    clang -dumpversion 2>/dev/null | cut -d. -f1 | grep . ||
        apt-cache depends clang 2>/dev/null | sed -n 's/.*clang-\([0-9]*\)$/\1/p' | head -n 1
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

# The lists of packages may be missing or old. They are fetched if it fails without.
install() {
    apt install --no-install-recommends "$@" 2>/dev/null && return
    apt update && apt install --no-install-recommends "$@"
}

# Prints how much is fetched, and how much room it takes: "37.2 MB to fetch, 127 MB on disk". Prints
# nothing if the lists of packages do not have that yet, as they may be missing or old.
size_of() {
    LC_ALL=C apt-get -o Debug::NoLocking=1 --assume-no --no-install-recommends install "$@" \
        2>/dev/null | awk '
        /^Need to get/ { fetched = $4 " " $5; sub(/^[^\/]*\//, "", fetched) }
        /^After this operation/ { print fetched " to fetch, " $4 " " $5 " on disk" }'
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

# The names have no spaces, so they are split on purpose from here on.
packages=$(for thing in $wanted; do packages_of "$thing"; done | tr ' ' '\n' | sort -u | xargs)

if [ "${INSTALL:-}" = no ] || ! have apt-get || ! as_root true; then
    give_up $wanted
fi
size=$(size_of $packages)
[ -n "$size" ] || { apt update && size=$(size_of $packages); }
echo "Installing: $packages${size:+ ($size)}" >&2
install $packages
left=$(missing "$@")
[ -z "$left" ] || give_up $left
