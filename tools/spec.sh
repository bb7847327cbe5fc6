#!/bin/sh
# Usage: tools/spec.sh LUA BUILD [options of busted] SPEC...
# Runs specs under the interpreter LUA, with the modules of the folder BUILD. PRELOAD in the
# environment names a library that only that interpreter loads.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
lua=$1
eval "$("$root/tools/env.sh" "$2" "$lua")"
shift 2
[ -z "${PRELOAD:-}" ] || export LD_PRELOAD="$PRELOAD"
exec "$lua" "$root/tools/specs.lua" "$@"
