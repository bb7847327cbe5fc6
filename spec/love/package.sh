#!/bin/sh
# Usage: spec/love/package.sh PACKAGE
# Plays the recipes of doc/love.md in LÖVE: each in a folder of its own, made from what
# `make love-package` has laid out in PACKAGE.
set -eu

package=$(cd "$1" && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
export XDG_DATA_HOME="$temp/save" SDL_VIDEODRIVER=offscreen
unset LUA_PATH LUA_CPATH LUA_INIT
status=0

# The Lua of a recipe, and then a few questions to the module.
main_of() {
    awk -v want="<!-- recipe: $1 -->" '
        $0 == want { found = 1; next }
        found && /^```$/ { exit }
        inside { print }
        found && /^```lua$/ { inside = 1 }
    ' doc/love.md
    cat spec/love/package_check.lua
}

play() { # play NAME WHAT
    if timeout --kill-after=5 60 love "$2" >"$temp/log" 2>&1 && grep -q '^Broadside works' "$temp/log"; then
        echo "$1: $(grep '^Broadside works' "$temp/log")"
    else
        echo "$1: FAILED" >&2
        cat "$temp/log" >&2
        status=1
    fi
}

# A new folder with the game's own files; its name is that of the recipe.
begin() {
    mkdir -p "$temp/$1/game"
    cp "$package/conf.lua" "$temp/$1/game"
    cp spec/love/errors.lua "$temp/$1/game"
    main_of "$1" >"$temp/$1/game/main.lua"
}

pack() { # pack NAME: the game's folder becomes a .love file
    (cd "$temp/$1/game" && zip -qr ../game.love .)
    rm -r "$temp/$1/game"
}

begin beside
cp -R "$package/broadside" "$temp/beside/game"
play beside "$temp/beside/game"

begin subfolder
mkdir "$temp/subfolder/game/lib"
cp -R "$package/broadside" "$temp/subfolder/game/lib"
play subfolder "$temp/subfolder/game"

begin next
mkdir "$temp/next/game/broadside" "$temp/next/broadside"
cp "$package"/broadside/*.lua "$temp/next/game/broadside"
cp "$package"/broadside/*.so "$temp/next/broadside"
pack next
play next "$temp/next/game.love"

begin save
mkdir "$temp/save/game/broadside" "$temp/save/game/native"
cp "$package"/broadside/*.lua "$temp/save/game/broadside"
cp "$package"/broadside/*.so "$temp/save/game/native"
pack save
play "save, first start" "$temp/save/game.love"
play "save, second start" "$temp/save/game.love"

# The game to start from, as it is, for a second.
mkdir "$temp/starter"
cp -R "$package"/. "$temp/starter"
cp spec/love/errors.lua "$temp/starter"
cat spec/love/starter_check.lua >>"$temp/starter/main.lua"
play starter "$temp/starter"
exit $status
