# shellcheck shell=bash disable=SC2034
# Lets a signal end run_all.sh at once: bash itself would wait for the command in the foreground.

# Prints the processes that this one started, and those that they started.
descendants() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v top=$$ '
        { pid = $1; if (sub(/^.*\) [^Z] /, "")) parent[pid] = $1 }
        END {
            tree[top]
            do {
                grown = 0
                for (pid in parent) if (!(pid in tree) && parent[pid] in tree) grown = tree[pid] = 1
            } while (grown)
            for (pid in tree) if (pid != top) print pid
        }'
}

# They have two seconds to end.
stop_descendants() {
    local pids more end=$((SECONDS + 3))
    mapfile -t pids < <(descendants)
    kill -TERM "${pids[@]}" || true
    while ((SECONDS < end)) && kill -0 "${pids[@]}"; do sleep 0.1; done
    mapfile -t more < <(descendants)
    kill -KILL "${pids[@]}" "${more[@]}" || true
} 2>/dev/null

# stoppable HANDLER COMMAND...: sets result to the exit code of COMMAND. A signal ends COMMAND with all
# that it started, and calls HANDLER with its number.
stoppable() {
    local handler=$1 number
    shift
    for number in 1 2 15; do
        # shellcheck disable=SC2064 # the values of now
        trap "trap '' HUP INT TERM; stop_descendants; trap - HUP INT TERM; $handler $number" "$number"
    done
    set -m # in a process group of its own, so that Ctrl-C reaches this shell only
    "$@" </dev/null &
    set +m
    result=0
    wait $! || result=$?
    trap - HUP INT TERM
}
