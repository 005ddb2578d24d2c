# shellcheck shell=bash disable=SC2154
# run_all.sh --labs N --variant NAME: builds, tests and times one variant, and prints its verdict.

# Prints the files of the lab's variants with their names, a line each: "NAME FILE". The names are
# those that AddLab.cmake gives.
variant_files() {
    find "$1"/{ladder,expert,libraries} -name '*.c[pu]*' 2>/dev/null | sort |
        sed -nE -e '/\.(cpp|cu)$/!d' -e 's|.*/libraries/([a-z0-9_]+)\..*|peer_\1 &|p;t' \
            -e 's|.*/([0-9]+_)?((seq\|omp\|cuda\|mpi)(_[a-z0-9_]+)?)\..*|\2 &|p'
}

# Fails with one line if the lab has not exactly one file of this variant.
check_variant() {
    local lab=$1 variant=$2 files
    mapfile -t files < <(variant_files "$lab" | sed -n "s/^$variant //p")
    ((${#files[@]} != 0)) || die "$lab has no file of a variant '$variant'; there are: $(
        variant_files "$lab" | sed 's/ .*//' | paste -sd ' ')"
    ((${#files[@]} == 1)) || die "$lab has several files of the variant '$variant': ${files[*]}"
}

# The output of the compiler, without the lines of the build tool.
compiler_output() {
    sed -E -e '/^FAILED: /,+1d' -e '/^\[[0-9/% ]+\]|^ninja: |^g?make/d' "$1" | head -n 40
}

build_variant() {
    local lab=$1 variant=$2 log=$output/$1/not_compiled/$2.log
    if [[ ! -e $build/$lab/CMakeCache.txt ]]; then
        say "$lab: the first time, the whole lab is built ($(in_words "$(expect "$lab" build)"))"
    fi
    mkdir -p "$output/$lab/not_compiled"
    is_configured "$lab" "$variant" || configure "$lab" -DLABS_SKIP_VARIANTS= || return
    if built_variants "$lab" | grep -qx "$variant"; then # otherwise it cannot be compiled here
        say "$variant: compiling"
        compile "$lab" "$log" "$lab-$variant" || { compiler_output "$log" && return 1; }
    fi
    rm -f "$log"
    build_lab "$lab" "$(program_name "$lab")_tests"
}

# test_part LAB VARIANT PART PARTS: a share of the variant's tests, in a process of its own.
test_part() {
    local log=$output/$1/gtest$3.log code=0 start=$SECONDS
    GTEST_SHARD_INDEX=$3 GTEST_TOTAL_SHARDS=$4 OMP_WAIT_POLICY=passive \
        LABS_RANDOM_MS=${LABS_RANDOM_MS:-300} LABS_EMULATED_MS=${LABS_EMULATED_MS:-300} \
        timeout -k 1 "$test_limit" "$(program_of "$1")_tests" --gtest_filter="*/$2" \
        --gtest_fail_fast >"$log" 2>&1 </dev/null || code=$?
    printf '\nended: exit code %d after %d s\n' "$code" "$((SECONDS - start))" >>"$log"
} 2>/dev/null # of what bash says of a crash

test_variant() {
    local part parts=$((jobs < 4 ? jobs : 4))
    say "$2: testing (at most $test_limit s)"
    # A GPU is for one process at a time.
    [[ $2 != cuda_* && $2 != peer_* ]] || is_emulated || parts=1
    for ((part = 0; part < parts; ++part)); do test_part "$1" "$2" "$part" "$parts" & done
    wait
}

# Does what labs_summary plans: lines of "bench EXPERIMENT VARIANTS" and "explain FILE INPUT OPTIONS",
# with tabs between.
measure_variant() {
    local lab=$1 variant=$2 out=$output/$1 what first second options program result
    program=$(program_of "$lab")
    while IFS=$'\t' read -r what first second options; do
        if [[ $what == bench && -n $bench ]]; then
            note "$lab" "bench stopped"
            result=ok
            say "$variant: timing ($first)"
            timeout --foreground -k 10 "$bench_limit" "$program" bench "$first" --quick \
                --variants "$second" --csv-dir "$out/csv" >"$out/bench.log" 2>&1 </dev/null ||
                result="failed: exit code $?"
            note "$lab" "bench $result"
        elif [[ $what == explain ]]; then
            mkdir -p "$out/counters"
            read -ra options <<<"$options"
            timeout -k 1 "$test_limit" "$program" run "$second" --variant "$variant" \
                "${options[@]}" --explain --output "$out/output.png" \
                >"$out/counters/$first" 2>&1 </dev/null || true
        fi
    done < <("$summary" plan --rules="grading/${lab%%-*}.json" "$out" "$variant")
}

# Returns the exit code of run_all.sh.
try_variant() {
    local lab=$1 variant=$2 result=0
    check_variant "$lab" "$variant"
    rm -rf "${output:?}/$lab" && mkdir -p "$output"/{harness,"$lab"}
    if [[ ! -e $build/harness/labs_summary ]]; then
        say "the first time, the harness is built ($(in_words "$(expect harness library)"))"
    fi
    build_harness library
    if build_variant "$lab" "$variant"; then
        note "$lab" "build ok"
        [[ -e $output/$lab/not_loaded/$variant ]] || test_variant "$lab" "$variant"
        measure_variant "$lab" "$variant"
    else
        note "$lab" "build failed"
    fi
    note "$lab" "finished yes"
    "$summary" variant --rules="grading/${lab%%-*}.json" "$output/$lab" "$variant" || result=$?
    say "done"
    return $result
}

# wait_for_save FILE: until a source file is newer than FILE.
wait_for_save() {
    local folders=("$lab" common harness)
    while [[ -z $(find "${folders[@]}" -newer "$1" -name '*.[ch]*' -print -quit) ]]; do
        if command -v inotifywait >/dev/null; then
            inotifywait -qq -r -t 10 -e close_write,moved_to,create "${folders[@]}" || true
        else
            sleep 1
        fi
    done
}

watch_variant() {
    local lab=$1 variant=$2 stamp
    stamp=$(mktemp)
    trap 'rm -f "$stamp"; exit 0' INT TERM
    while :; do
        touch "$stamp"
        SECONDS=0
        (try_variant "$lab" "$variant") || true
        echo "waiting for the next save; Ctrl-C ends"
        wait_for_save "$stamp"
    done
}
