#!/bin/sh
# Usage: spec/area/skynet.sh SKYNET
# Plays worlds in skynet, whose folder SKYNET is, and sends them from service to service. Then the
# example area: both areas in one process, where they are killed and moved, and on two nodes, of
# which one is killed. Each time the areas must be what one world is that was never split. The
# nodes' ports are AREA_PORT and the next one.
set -u

SKYNET=$(cd "$1" && pwd) || exit 1
BROADSIDE=$(cd "$(dirname "$0")/../.." && pwd)
AREA_PORT=${AREA_PORT:-47720}
export SKYNET BROADSIDE AREA_PORT
logs=$BROADSIDE/build/skynet/logs
rm -rf "$logs" && mkdir -p "$logs" || exit 1
first='' second=''
trap 'kill $first $second 2>/dev/null' EXIT

# Becomes a process that begins with the service $1 and has the areas $2. $3: its files' name.
node() {
    AREA_START=$1 AREA_SIDES=$2 AREA_LOG=$logs/$3.log exec "$SKYNET/skynet" \
        "$BROADSIDE/examples/area/skynet/config" > "$logs/$3.out" 2>&1
}

# Ends when the process $1, which gives up by itself after a minute, has ended badly.
must_be_same() {
    wait "$1"
    status=$?
    cat "$logs"/*.out
    [ $status = 0 ] || { echo "see $logs" >&2; exit 1; }
    rm "$logs"/*.out
}

node worlds none worlds & first=$!
must_be_same $first

node main "1 2" services & first=$!
must_be_same $first

node main 1 node1 & first=$!
node main 2 node2 & second=$!
until grep -q 'area 2 has saved' "$logs/node1.out" || ! kill -0 $first; do
    sleep 0.1
done
kill -9 $second
node main 2 node2again & second=$!
must_be_same $first
