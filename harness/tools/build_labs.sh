# shellcheck shell=bash disable=SC2154
# The builds of run_all.sh, which sets build, output, generator, jobs and test_limit.

configure() {
    local lab=$1 fresh=()
    shift
    [[ -e $build/$lab/CMakeCache.txt ]] || fresh=("${generator[@]}")
    [[ $lab == harness ]] || fresh+=(-DLABS_HARNESS_BUILD="$build/harness") # compiled once for all
    cmake -S "$lab" -B "$build/$lab" "${fresh[@]}" -DLABS_TEST_TIMEOUT="$test_limit" \
        -DLABS_CUDA="${LABS_CUDA:-AUTO}" "$@" >"$output/$lab/configure.log" 2>&1
}

# Prints the variants in the build.
built_variants() {
    [[ ! -e $build/$1/variants.json ]] || python3 -m driver.summary built "$build/$1/variants.json"
}

# True if there is nothing to configure before the variant is built. A build sees by itself that a
# CMakeLists.txt is newer.
is_configured() {
    local lab=$1 variant=${2:-}
    grep -qsx "LABS_CUDA:STRING=${LABS_CUDA:-AUTO}" "$build/$lab/CMakeCache.txt" &&
        { [[ -z $variant ]] || built_variants "$lab" | grep -qx "$variant"; }
}

# True if kernels run on the CPU in this build.
is_emulated() { grep -q cuda_to_cpp "$build/harness/labs_harness.cmake"; }

# compile LAB LOG TARGETS...: goes on after an error, so that all that can be compiled is, in
# parallel.
compile() {
    local lab=$1 log=$2 go_on=(-k)
    shift 2
    ! grep -q '^CMAKE_GENERATOR:INTERNAL=Ninja' "$build/$lab/CMakeCache.txt" || go_on=(-k 0)
    with_progress "$log" cmake --build "$build/$lab" -j "$jobs" --target "$@" -- "${go_on[@]}"
}

# Prints the variants that do not compile, with ';' between; keeps what the compiler said of each.
broken_variants() {
    local variant log broken=
    mkdir -p "$output/$1/not_compiled"
    while read -r variant; do
        log=$output/$1/not_compiled/$variant.log
        if compile "$1" "$log" "$1-$variant" >&2; then
            rm "$log"
        else
            broken+="${broken:+;}$variant"
        fi
    done <"$output/$1/built.txt"
    echo "$broken"
}

program_name() {
    tr -s '[:space:]' ' ' <"$1/CMakeLists.txt" | sed -n 's/.*add_lab( *\([A-Za-z0-9_]*\).*/\1/p'
}
program_of() { echo "$build/$1/$(program_name "$1")"; }

# Fails if the lab's program does not come as far as main(): it names no variants then. Keeps what it
# says.
list_variants() {
    local code=0 log=$output/$1/list.log
    [[ $1 != harness ]] || return 0
    LABS_EVENTS=$output/$1/events.jsonl timeout 20 "$(program_of "$1")" list --json >"$output/$1/variants.json" 2>"$log" || code=$?
    if ((code == 0)) && python3 -m driver.summary listed "$output/$1"; then return 0; fi
    [[ -s $log ]] || echo "it ended with exit code $code" >"$log"
    return 1
}

# Prints NAME=reason of the variants with which no program comes as far as main(), with ';' between;
# keeps the reasons.
ending_variants() {
    local variant code said ending=
    mkdir -p "$output/$1/not_loaded"
    compile "$1" "$output/$1/loads.log" "$1-loads" >&2 || true
    while read -r variant; do
        code=0
        [[ -x $build/$1/$1-$variant-loads ]] || continue
        said=$(timeout -k 1 10 "$build/$1/$1-$variant-loads" 2>/dev/null) || code=$?
        [[ $said != *loaded ]] || continue
        said="it ends the program before main() (exit code $code)"
        ((code != 124)) || said="it does not come to main() within 10 s"
        echo "$said" >"$output/$1/not_loaded/$variant"
        ending+="${ending:+;}$variant=$said"
    done <"$output/$1/built.txt"
    echo "$ending"
}

# build_without LAB VARIANTS TARGET: VARIANTS are for LABS_SKIP_VARIANTS.
build_without() {
    say "$1: building without ${2//;/, }"
    mv "$output/$1/build.log" "$output/$1/build-with-all.log"
    configure "$1" -DLABS_SKIP_VARIANTS="$2" && compile "$1" "$output/$1/build.log" "$3"
}

# build_lab LAB TARGET, which is configured
build_lab() {
    local lab=$1 target=$2 skip='' ending result=0
    built_variants "$lab" >"$output/$lab/built.txt"
    if ! compile "$lab" "$output/$lab/build.log" "$target"; then
        result=1 skip=$(broken_variants "$lab")
        [[ -z $skip ]] || say "$lab: DOES NOT COMPILE: ${skip//;/, }"
        [[ -z $skip ]] || ! build_without "$lab" "$skip" "$target" || result=0
    fi
    ((result != 0)) || ! list_variants "$lab" || return 0
    [[ $lab != harness ]] || return $result
    ending=$(ending_variants "$lab")
    if [[ -n $ending ]]; then
        build_without "$lab" "${skip:+$skip;}$ending" "$target" || return
        ! list_variants "$lab" || return 0
        result=0
    fi
    [[ ! -e $output/$lab/list.log ]] ||
        say "$lab: its program lists no variants: $(head -n 1 "$output/$lab/list.log")"
    return $result
}

# build_harness STEP [TARGETS...]: the parts of the harness that the labs use, or these.
build_harness() {
    local libraries log=$output/harness/$1.log
    shift
    { [[ -n $variant ]] && is_configured harness || configure harness; } &&
        mapfile -t libraries < <(sed -n 's/^add_[a-z]*(prebuilt_\([a-z_]*\) [SI].*/\1/p' \
            "$build/harness/labs_harness.cmake" | grep -v labs_flags) &&
        compile harness "$log" "${@:-${libraries[@]}}" && return
    tail -n 20 "$output/harness/configure.log" "$log" >&2
    printf 'run_all.sh: harness does not build, and every lab needs it\n' >&2
    exit 1
}

# True if nothing of the first lab is there to be seen.
wants_look() { [[ -n $bench && ! -e $(program_of "${labs[0]}") ]]; }

# look_at LAB: its ladder on the CPU and its pictures, before kernels and tests are built. If that does
# not go, it fails, and the steps that follow say why.
look_at() {
    local lab=$1 out=$output/$1/first-look program
    program=$(program_of "$lab")_cpu
    begin "$lab" look "a first look: building and timing the variants for the CPU"
    mkdir -p "$out"
    if configure "$lab" -DLABS_SKIP_VARIANTS= && compile "$lab" "$out/build.log" "${program##*/}" &&
        timeout 20 "$program" list --json >"$out/variants.json" &&
        timeout --foreground -k 10 60 "$program" bench ladder --quick --csv-dir "$out/csv" \
            >"$out/bench.log" 2>&1 </dev/null; then
        python3 -m driver.summary look "$out"
        { python3 -m driver.figures draw "$lab" "$out/csv" "$out/figures" &&
            python3 -m driver.figures pictures "$lab" "$program" "$out/pictures"; } >"$out/figures.log" 2>&1 ||
            say "$lab: not all figures and pictures, see $out/figures.log"
        finish "$lab" "had a first look; its figures and pictures are in $out/"
    else
        finish "$lab" "no first look, see $out/"
        return 1
    fi
}
