#!/bin/sh
# Usage: tools/defold/lay.sh PROJECT
# Lays Broadside out in a project of Defold: the extension and the Lua files as the folder
# broadside, and broadside.lua beside it. Each source is compiled twice, for two axes and for three.
# Defold looks for sources in the folder src; the files there include the sources from the folder
# include.
set -eu

folder=$1/broadside
rm -rf "$folder/src" "$folder/include"
mkdir -p "$folder/src" "$folder/include"
cp tools/defold/ext.manifest LICENSE "$folder"
cp tools/defold/include/*.h "$folder/include"
cp -R include/broadside src/* "$folder/include"
cp tools/defold/register.c "$folder/src"
for source in src/*/*.c; do
    name=${source#src/}
    for dim in 2 3; do
        printf '#define DIM %d\n#include <%s>\n' "$dim" "$name" \
            >"$folder/src/d${dim}_$(echo "$name" | tr / _)"
    done
done

# Defold includes modules that are required by their whole names. The modules that draw are for
# LÖVE.
for file in lua/broadside/*.lua lua/broadside/*/*.lua; do
    name=${file#lua/broadside/}
    case $name in
    debug.lua | draw.lua) ;;
    *)
        mkdir -p "$(dirname "$folder/$name")"
        sed -e 's/require(.*\.\. "\.\([a-z0-9.]*\)")/require("broadside.\1")/' \
            -e 's/require((\(.*\)or "broadside")$/require("broadside.init")/' \
            "$file" >"$folder/$name"
        ;;
    esac
done
echo 'return require("broadside.init")' >"$folder.lua"
