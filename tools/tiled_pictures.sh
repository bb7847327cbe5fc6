#!/bin/sh
# Usage: tools/tiled_pictures.sh FOLDER
# Opens the map of doc/maps in Tiled, on a virtual display, and takes pictures of the editor:
# FOLDER/tiled-map.png and tiled-tileset.png. The positions of its buttons are those of Tiled 1.8,
# as in Debian 12, when it is started for the first time. So it gets a home folder of its own.
set -eu

HOME=$(mktemp -d)
export HOME DISPLAY=:77 XDG_RUNTIME_DIR="$HOME"
export XDG_CONFIG_HOME="$HOME/config" XDG_DATA_HOME="$HOME/data"
mkdir -p "$1"
cp doc/maps/* "$HOME"

timeout 120 Xvfb "$DISPLAY" -screen 0 1252x730x24 -nolisten tcp >/dev/null 2>&1 &
display=$!
trap 'kill $display; rm -rf "$HOME"' EXIT
sleep 2
(cd "$HOME" && exec timeout 100 tiled cave.tmx rocks.tsx >/dev/null 2>&1) &
sleep 8

click() { # click X Y
    timeout 10 xdotool mousemove "$1" "$2" sleep 0.3 click 1 sleep 1.5
}

take() { # take NAME
    timeout 20 import -window root -crop 1250x728+0+0 +repage "$1"
}

click 252 32  # closes the list of files of a project
click 294 130 # the plank
click 419 71  # the collision editor
take "$1/tiled-tileset.png"

click 43 36    # the tab of the map
click 1040 146 # the layer of objects
click 556 72   # "Select Objects"
click 353 572  # the point
xdotool mousemove 600 690 sleep 1
take "$1/tiled-map.png"
