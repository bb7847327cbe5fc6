#!/usr/bin/env bash
# Usage: spec/tiled/run.sh LUA FOLDER MAPS EXAMPLES
# Lets Tiled export maps into FOLDER. Compares MAPS random maps with pictures that Tiled draws, some
# of them also as JSON, and the maps in EXAMPLES, a folder with Tiled's own examples, with plain
# loops.
set -euo pipefail
lua=$1 folder=$2 maps=$3 examples=$4
export QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$PWD/$folder
rm -rf "$folder"
mkdir -p "$folder/examples"
chmod 700 "$folder"

export_map() { # export_map FILE.tmx [--embed-tilesets]: writes FILE.lua
    tiled --export-map ${2:+"$2"} lua "$1" "${1%.tmx}.lua" >/dev/null
}

# Decodes compressed tiles into numbers. The zlib format adds a header to deflate, which is removed.
unpack() {
    base64 -di | case $1 in
        zlib) (printf '\x1f\x8b\x08\0\0\0\0\0\0\0' && tail -c +3) | { gzip -dc 2>/dev/null || true; } ;;
        gzip) gzip -dc ;;
        *) cat ;;
    esac | od -An -v -tu4 | tr -s ' \n' ',,' | sed 's/^,//; s/,$//'
}

recode() { # writes a map with its tiles as CSV
    local line tiles packing
    sed 's/<data [^>]*>/&\n/; s/<\/data>/\n&/' | while IFS= read -r line; do
        if [[ $line == *'<data encoding="base64"'* ]]; then
            packing=none tiles=
            [[ $line =~ compression=\"([a-z]*)\" ]] && packing=${BASH_REMATCH[1]}
            while IFS= read -r line && [[ $line != *'</data>'* ]]; do
                tiles+=${line//[[:space:]]/}
            done
            printf '<data encoding="csv">\n%s\n' "$(unpack "$packing" <<<"$tiles")"
        fi
        printf '%s\n' "$line"
    done
}

names=()
for seed in $(seq "$maps"); do
    "$lua" spec/tiled/random_map.lua "$seed" "$folder"
    export_map "$folder/map$seed.tmx"
    for tileset in "$folder/map${seed}"_*.tsx; do
        [ ! -e "$tileset" ] || tiled --export-tileset lua "$tileset" "${tileset%.tsx}.lua" >/dev/null
    done
    if [ "$seed" -le 8 ]; then
        tiled --export-map --detach-templates json "$folder/map$seed.tmx" "$folder/map$seed.json"
        for tileset in "$folder/map${seed}"_*.tsx; do
            [ ! -e "$tileset" ] || tiled --export-tileset json "$tileset" "${tileset%.tsx}.json"
        done
    fi >/dev/null
    tmxrasterizer --no-smoothing "$folder/map${seed}_drawn.tmx" "$folder/map$seed.ppm"
    names+=("$folder/map$seed")
done
"$lua" spec/tiled/compare.lua "${names[@]}"

cp -R "$examples/." "$folder/examples"
chmod -R u+w "$folder/examples"
find "$folder/examples" -name '*.gz' -exec gunzip {} +
find "$folder/examples" -name '*.tmx' | while read -r map; do
    recode <"$map" >"$map.csv"
    mv "$map.csv" "$map"
    export_map "$map" --embed-tilesets
done
find "$folder/examples" -name '*.lua' -print0 | xargs -0 "$lua" spec/tiled/examples.lua
