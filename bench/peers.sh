#!/bin/sh
# Usage: bench/peers.sh [install | missing]
# Prints the names of the other libraries that this machine has, of box2d, chipmunk and bullet.
# With `install` it first installs the missing ones by apt-get. If it cannot, the benchmark runs
# without them. With `missing` it prints which ones are missing, and how to get them.
set -u

cxx=${CXX:-c++}
cc=${CC:-cc}

has() {
    case $1 in
    box2d) echo '#include <box2d/box2d.h>' | "$cxx" -fsyntax-only -x c++ - ;;
    chipmunk) echo '#include <chipmunk/chipmunk.h>' | "$cc" -fsyntax-only -x c - ;;
    bullet) echo '#include <BulletCollision/BroadphaseCollision/btDbvt.h>' |
        "$cxx" -I/usr/include/bullet -fsyntax-only -x c++ - ;;
    esac >/dev/null 2>&1
}

package_of() {
    case $1 in
    box2d) echo libbox2d-dev ;;
    chipmunk) echo libchipmunk-dev ;;
    bullet) echo libbullet-dev ;;
    esac
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" \
        >/dev/null 2>&1
}

install() {
    apt install --no-install-recommends "$@" ||
        { apt update && apt install --no-install-recommends "$@"; }
}

if [ "${1:-}" = install ]; then
    command -v "$cxx" >/dev/null 2>&1 || install g++
    for peer in box2d chipmunk bullet; do
        has $peer || install "$(package_of $peer)" || echo "cannot install $peer" >&2
    done
fi
missing=
for peer in box2d chipmunk bullet; do
    if ! has $peer; then
        missing="$missing $peer"
    elif [ "${1:-}" != missing ]; then
        echo $peer
    fi
done
if [ "${1:-}" = missing ] && [ -n "$missing" ]; then
    echo "Not measured beside ours, as they are not on this machine:$missing. Their columns say '-'."
    echo "\`make bench\` installs them first; by hand, on Debian and Ubuntu:"
    # shellcheck disable=SC2086 # names
    echo "    apt-get install g++$(for peer in $missing; do printf ' %s' "$(package_of $peer)"; done)"
fi
