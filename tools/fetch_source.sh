#!/bin/sh
# Usage: tools/fetch_source.sh PACKAGE FOLDER
# Unpacks Debian's source package of that name (lua5.4, luajit) into FOLDER/source, from the mirrors
# that apt is configured for. What apt needs for this is kept in FOLDER, so the system is not
# changed.
set -eu

package=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
[ ! -e "$folder/source/src/lauxlib.h" ] || exit 0

# The system's own mirrors, for source packages.
apt=$folder/apt
mkdir -p "$apt/parts" "$apt/state/lists/partial" "$apt/cache/archives/partial"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file"
done >"$apt/sources.list"
for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/parts/${file##*/}"
done

private_apt() {
    apt-get -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State="$apt/state" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

# Some mirrors may have no source packages. It only matters whether this one is found.
private_apt update >"$apt/log.txt" 2>&1 || true
rm -rf "$folder/source"
(cd "$folder" && private_apt source --download-only "$package" >>"$apt/log.txt" 2>&1) || {
    cat "$apt/log.txt" >&2
    exit 1
}
dpkg-source -x "$folder/${package}"_*.dsc "$folder/source" >/dev/null 2>&1
