#!/bin/sh
# Usage: tools/lua_cflags.sh NAME
# Prints the compiler flags that find the headers of the Lua called NAME (lua5.1 .. lua5.5, luajit).
# Fails if there are none.
set -u

name=$1
dotless=$(printf '%s' "$name" | tr -d .)
dashed=$(printf '%s' "$name" | sed 's/^lua5/lua-5/')

if command -v pkg-config >/dev/null 2>&1; then
    for package in "$name" "$dashed" "$dotless"; do
        if pkg-config --exists "$package" 2>/dev/null; then
            pkg-config --cflags-only-I "$package"
            exit 0
        fi
    done
fi

case $name in
luajit) folders="luajit-2.1 luajit-2.0" ;;
*) folders="$name $dashed $dotless" ;;
esac
for folder in $folders; do
    for prefix in /usr/include /usr/local/include /opt/homebrew/include; do
        if [ -e "$prefix/$folder/lua.h" ]; then
            printf '%s\n' "-I$prefix/$folder"
            exit 0
        fi
    done
done
exit 1
