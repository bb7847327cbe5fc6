#!/bin/sh
# Usage: tools/run_tests.sh PROCESSES < COMMANDS
# Runs each line of its input as a process, PROCESSES of them at a time. They begin in the order of
# the lines, so the longest should come first. It prints a dot for each one that passes. At the end
# it prints the output of the others, the pending specs, and the totals. It fails if a process
# fails: by its status, or because a process that runs specs (tools/spec.sh) ended before busted
# printed its counts.
set -u

# The line with busted's counts.
counts='^[0-9][0-9]* success.* / [0-9][0-9]* failure.* / [0-9][0-9]* error.* / [0-9][0-9]* pending'

has_counted() {
    case $1 in
    tools/spec.sh*) grep -q "$counts" "$2" ;;
    esac
}

# The output of each process goes to a file; if it fails, `.failed` is added to its name.
run_one() { # run_one LOGS COMMAND
    log=$(mktemp "$1/XXXXXX")
    echo "==== $2" >"$log"
    status=0
    sh -c "exec $2" >>"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -eq 0 ] && has_counted "$2" "$log"; then
        printf .
        return
    fi
    printf '\nFAILED with status %d: %s\n' "$status" "$2"
    has_counted "$2" "$log" || echo "The process ended before all specs had run." >>"$log"
    mv "$log" "$log.failed"
}

# Prints the pending specs of processes that pass. The first line of each file is the command.
tell_pending() { # tell_pending LOGS
    find "$1" -type f ! -name '*.failed' -exec awk 'FNR == 1 { where = $0 } FNR == 1 || /^$/ { inside = 0 }
        /^Pending ->/ { print where; inside = 1 } inside' {} +
}

tell_totals() { # tell_totals LOGS
    grep -h "$counts" "$1"/* | awk '{ successes += $1; failures += $4; errors += $7; pending += $10 }
        END { printf "%d successes / %d failures / %d errors / %d pending", successes, failures, errors,
            pending }'
    failed=$(find "$1" -name '*.failed' | wc -l)
    printf ' in %d processes, of which %d failed\n' "$(find "$1" -type f | wc -l)" "$failed"
    [ "$failed" -eq 0 ]
}

if [ "$1" = --one ]; then
    run_one "$2" "$3"
    exit 0
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
status=0
tr '\n' '\0' | xargs -0 -n 1 -P "$1" "$0" --one "$logs" || status=1
echo
tell_pending "$logs"
for log in "$logs"/*.failed; do
    [ ! -e "$log" ] || cat "$log"
done
tell_totals "$logs" || status=1
exit "$status"
