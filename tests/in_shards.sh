#!/usr/bin/env bash
# in_shards PROGRAM FILTER COMMAND..., for scripts that include this file: runs the tests of a program
# of GoogleTest that match the filter, a share of them on each core, started by COMMAND. Prints the
# names of those that passed. It fails if a test fails, if a share does not come to its end, or if no
# test matches. One process runs many tests: in an emulator or with a sanitizer, most of a short test's
# time is the program's start.

in_shards() {
    local shards running=() shard failed=0
    shards=$(nproc)
    rm -f "$1".*.log # of an earlier run, with more shares perhaps
    for ((shard = 0; shard < shards; ++shard)); do
        "${@:3}" "$1" --gtest_filter="$2" "--shard=$shard/$shards" >"$1.$shard.log" 2>&1 &
        running+=($!)
    done
    for ((shard = 0; shard < shards; ++shard)); do
        wait "${running[shard]}" || { failed=1 && grep -v '^\[ RUN\|^\[       OK' "$1.$shard.log"; }
        sed -n 's/^\[       OK \] \(.*\) (.*/  \1/p' "$1.$shard.log"
        grep '^\[  PASSED  \]' "$1.$shard.log" || failed=1
    done
    grep -q '^\[  PASSED  \] [1-9]' "$1".*.log || { echo "no test passed: $2" && failed=1; }
    return "$failed"
}
