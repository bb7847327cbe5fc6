#!/bin/sh
# Usage: SOURCE_DATE_EPOCH=seconds tools/pack.sh FOLDER ZIP
# Packs what is in FOLDER, so that the same files give the same bytes: in the order of their names,
# as old as it is said, with the same rights, and without what else the file system knows of them.
set -eu

case $2 in
/*) zip=$2 ;;
*) zip=$PWD/$2 ;;
esac
rm -f "$zip"
cd "$1"
find . -type d -exec chmod 755 {} +
find . -type f -exec chmod 644 {} +
find . -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
find . -type f | sed 's|^\./||' | LC_ALL=C sort | TZ=UTC zip -q -9 -X -@ "$zip"
