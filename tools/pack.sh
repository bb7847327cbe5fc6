#!/bin/sh
# Usage: SOURCE_DATE_EPOCH=seconds tools/pack.sh FOLDER ZIP
# Packs the contents of FOLDER such that the same files always give the same bytes: in the order of
# their names, with that time and the same rights, and without other data of the file system.
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
