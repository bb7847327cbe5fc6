#!/bin/sh
# Usage: spec/love/package.sh PACKAGE
# Plays the recipes of doc/ship.md in LÖVE. Each has a folder of its own, made from PACKAGE, which
# is the game that `make love-package` makes, or one with another folder `broadside`.
set -eu

package=$(cd "$1" && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
export XDG_DATA_HOME="$temp/save" SDL_VIDEODRIVER=offscreen
unset LUA_PATH LUA_CPATH LUA_INIT
status=0

# Prints the Lua of a recipe, followed by a few calls of the module.
main_of() {
    echo 'require("errors")'
    awk -v want="<!-- recipe: $1 -->" '
        $0 == want { found = 1; next }
        found && /^```$/ { exit }
        inside { print }
        found && /^```lua$/ { inside = 1 }
    ' doc/ship.md
    cat spec/love/package_check.lua
}

play() { # play NAME GAME [PROGRAM]
    if timeout --kill-after=5 60 "${3:-love}" ${2:+"$2"} >"$temp/log" 2>&1 &&
        grep -q '^Broadside works' "$temp/log"; then
        echo "$1: $(grep '^Broadside works' "$temp/log")"
    else
        echo "$1: FAILED" >&2
        cat "$temp/log" >&2
        status=1
    fi
}

fails() { # fails NAME GAME TEXT...: the game must not start, and its message must have each TEXT
    name=$1
    game=$2
    shift 2
    if timeout --kill-after=5 60 love "$game" >"$temp/log" 2>&1; then
        echo "$name: it works, and should not" >&2
        status=1
    fi
    for text in "$@"; do
        grep -qF -e "$text" "$temp/log" || {
            echo "$name: it does not say: $text" >&2
            cat "$temp/log" >&2
            status=1
        }
    done
    echo "$name: it is said what is wrong"
}

# Makes a new folder with the game's own files.
begin() { # begin NAME RECIPE
    mkdir -p "$temp/$1/game"
    cp "$package/conf.lua" "$temp/$1/game"
    cp spec/love/errors.lua "$temp/$1/game"
    main_of "$2" >"$temp/$1/game/main.lua"
}

pack() { # pack NAME: packs the game's folder into a .love file
    (cd "$temp/$1/game" && zip -qr ../game.love .)
    rm -r "$temp/$1/game"
}

begin beside beside
cp -R "$package/broadside" "$temp/beside/game"
play beside "$temp/beside/game"

begin subfolder subfolder
mkdir "$temp/subfolder/game/lib"
cp -R "$package/broadside" "$temp/subfolder/game/lib"
play subfolder "$temp/subfolder/game"

# A single file. It copies the libraries out at the first start, finds the copies at the second, and
# repairs them at the third.
begin packed beside
cp -R "$package/broadside" "$temp/packed/game"
pack packed
play "packed, first start" "$temp/packed/game.love"
play "packed, second start" "$temp/packed/game.love"
find "$temp/save" -name 'd2.so' | grep -q . || { echo "nothing was copied" >&2; status=1; }
find "$temp/save" -name 'd2.so' -exec sh -c 'echo "of another version" >"$1"' - {} \;
play "packed, after an update" "$temp/packed/game.love"
rm -r "$temp/save"

# The same file, fused with LÖVE into one program.
cat "$(command -v love)" "$temp/packed/game.love" >"$temp/packed/program"
chmod +x "$temp/packed/program"
play fused "" "$temp/packed/program"
rm -r "$temp/save"

begin next subfolder
mkdir -p "$temp/next/game/lib" "$temp/next/lib/broadside"
cp -R "$package/broadside" "$temp/next/game/lib"
mv "$temp"/next/game/lib/broadside/lua5* "$temp/next/lib/broadside"
pack next
play next "$temp/next/game.love"
mkdir -p "$temp/save"
! find "$temp/save" -name 'd2.so' | grep -q . || { echo "a library was copied" >&2; status=1; }

# The messages if libraries are missing, or are those of another system.
begin missing beside
mkdir "$temp/missing/game/broadside" "$temp/missing/game/broadside/lua51-windows-x64"
(cd "$package/broadside" && cp -R ./*.lua maps support walker "$temp/missing/game/broadside")
: >"$temp/missing/game/broadside/lua51-windows-x64/d2.dll"
fails "missing" "$temp/missing/game" "there is only lua51-windows-x64" \
    "make LUA=luajit lay-out INTO='$temp/missing/game/broadside'"
pack missing
fails "missing, packed" "$temp/missing/game.love" "there is only lua51-windows-x64" \
    "make LUA=luajit lay-out INTO='$temp/missing/broadside'"
begin foreign beside
cp -R "$package/broadside" "$temp/foreign/game"
for file in "$temp"/foreign/game/broadside/lua51-*/d2.so; do
    printf '\050\000' | dd of="$file" bs=1 seek=18 conv=notrunc status=none # the number of 32-bit ARM
done
fails "foreign" "$temp/foreign/game" "is for Lua 5.1 on linux-arm, and what is needed" "make LUA=luajit"
pack foreign
fails "foreign, packed" "$temp/foreign/game.love" "is for Lua 5.1 on linux-arm, and what" "make LUA=luajit"

# The game to start from, unchanged, for a second.
mkdir "$temp/starter"
cp -R "$package"/. "$temp/starter"
cp spec/love/errors.lua "$temp/starter"
cat spec/love/starter_check.lua >>"$temp/starter/main.lua"
play starter "$temp/starter"
exit $status
