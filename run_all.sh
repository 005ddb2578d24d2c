#!/usr/bin/env bash
# Builds, tests and benchmarks every lab, each apart from the others, and sums up. What it finds is
# left in files for harness/report/labs_summary, which knows how to read and show them.
set -euo pipefail

usage() {
    cat <<'END'
usage: ./run_all.sh [options]   build, test and benchmark every lab, draw the figures, sum up
       ./run_all.sh figures     redraw the figures and tables of reports/ from its CSV files
       ./run_all.sh starter DIR write the tree for students to DIR (grading/README.md)

  --labs 1,2,...   only these labs
  --quick          small benchmarks (default)
  --full           the complete sweeps, which take hours
  --no-bench       tests only
  --install-deps   install what is missing with apt-get
  --build-dir DIR  default: build-all
  --output DIR     default: results
  --report DIR     the page goes to DIR/index.html too
  --points         print your points by grading/labN.json, and what is missing for the next one

The output folder gets index.html, a page with the tables and all pictures and figures in it, and
summary.md, results.json and junit.xml.

From the environment: LABS_CUDA (AUTO: nvcc if a GPU answers, otherwise kernels run emulated on the
CPU; ON: nvcc; EMULATE; OFF), LABS_TEST_TIMEOUT (seconds for one test), LABS_BENCH_TIMEOUT (seconds
for a lab's benchmark), LABS_BENCH_ARGS (more arguments for it), CUDAARCHS, CMAKE_GENERATOR, CXX.
Exit code: 0 all that can run here passed, 1 something failed, 2 bad usage or a missing tool.
END
}

die() { printf 'run_all.sh: %s\n' "$*" >&2 && exit 2; }
say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }
note() { echo "$2" >>"$output/$1/state"; }

# The packages without which there are no figures.
missing_for_figures() {
    command -v gnuplot >/dev/null || echo gnuplot-nox
    command -v sqlite3 >/dev/null || echo sqlite3
}

# check_tools LIST_MISSING: LIST_MISSING prints the packages without which nothing goes.
check_tools() {
    local missing optional as_root=()
    mapfile -t missing < <("$1")
    mapfile -t optional < <(missing_for_figures)
    if [[ -n $install && -n ${missing[*]}${optional[*]} ]]; then
        ((EUID == 0)) || as_root=(sudo)
        as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq)
        say "installing ${missing[*]} ${optional[*]}"
        "${as_root[@]}" update || die "apt-get update failed"
        "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" "${optional[@]}" \
            >/dev/null || die "apt-get could not install them"
        mapfile -t missing < <("$1")
    fi
    [[ -z ${missing[*]} ]] || die "missing, or too old (CMake 3.25, g++ 12): ${missing[*]}
  To install them, as root:  apt-get install ${missing[*]}
  or run this again with --install-deps"
}

# Only a try tells whether index.html can be written in a folder.
takes_page() {
    local trial
    mkdir -p "$1" && trial=$(mktemp -p "$1") && rm "$trial" && [[ ! -d $1/index.html ]]
} 2>/dev/null

configure() {
    local lab=$1 fresh=()
    shift
    [[ -e $build/$lab/CMakeCache.txt ]] || fresh=("${generator[@]}")
    [[ $lab == harness ]] || fresh+=(-DLABS_HARNESS_BUILD="$build/harness") # compiled once for all
    cmake -S "$lab" -B "$build/$lab" "${fresh[@]}" -DLABS_TEST_TIMEOUT="$test_limit" \
        -DLABS_CUDA="${LABS_CUDA:-AUTO}" "$@" >"$output/$lab/configure.log" 2>&1 || return
    # Each variant is an object library of its own, whose folder is named after it.
    sed -n "s|.*CMakeFiles/$lab-\([A-Za-z0-9_]*\)\.dir/.*|\1|p" \
        "$build/$lab/compile_commands.json" | sort -u >"$output/$lab/built.txt"
}

# compile LAB TARGET LOG: goes on after an error, so that all that can be compiled is, in parallel.
compile() {
    local go_on=(-k)
    ! grep -q '^CMAKE_GENERATOR:INTERNAL=Ninja' "$build/$1/CMakeCache.txt" || go_on=(-k 0)
    cmake --build "$build/$1" -j "$jobs" --target "$2" -- "${go_on[@]}" >"$3" 2>&1
}

# Prints the variants that do not compile, with ';' between; keeps what the compiler said of each.
broken_variants() {
    local variant log broken=
    mkdir -p "$output/$1/not_compiled"
    while read -r variant; do
        log=$output/$1/not_compiled/$variant.log
        if compile "$1" "$1-$variant" "$log"; then rm "$log"; else broken+="${broken:+;}$variant"; fi
    done <"$output/$1/built.txt"
    echo "$broken"
}

program_of() {
    local name
    name=$(sed -n 's/^add_lab(\([A-Za-z0-9_]*\).*/\1/p' "$1/CMakeLists.txt")
    echo "$build/$1/$name"
}

# Fails if the lab's programs do not come as far as main(): they name no variants or no tests then.
list_variants() {
    [[ $1 != harness ]] || return 0
    timeout 20 "$(program_of "$1")" list --json >"$output/$1/variants.json" 2>/dev/null &&
        "$summary" listed "$output/$1" &&
        ctest --test-dir "$build/$1" -N | grep -q '^Total Tests: [1-9]'
}

# Prints NAME=reason of the variants with which no program comes as far as main(), with ';' between;
# keeps the reasons.
ending_variants() {
    local variant code said ending=
    mkdir -p "$output/$1/not_loaded"
    compile "$1" "$1-loads" "$output/$1/loads.log" || true
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

# build_without LAB VARIANTS: for LABS_SKIP_VARIANTS.
build_without() {
    say "$1: building without ${2//;/, }"
    mv "$output/$1/build.log" "$output/$1/build-with-all.log"
    configure "$1" -DLABS_SKIP_VARIANTS="$2" && compile "$1" all "$output/$1/build.log"
}

build_lab() {
    local lab=$1 skip='' ending result=0
    configure "$lab" -DLABS_SKIP_VARIANTS= || return
    if ! compile "$lab" all "$output/$lab/build.log"; then
        result=1 skip=$(broken_variants "$lab")
        [[ -z $skip ]] || say "$lab: DOES NOT COMPILE: ${skip//;/, }"
        [[ -z $skip ]] || ! build_without "$lab" "$skip" || result=0
    fi
    ((result != 0)) || ! list_variants "$lab" || return 0
    [[ $lab != harness ]] || return $result
    ending=$(ending_variants "$lab")
    [[ -n $ending ]] || return $result
    build_without "$lab" "${skip:+$skip;}$ending" || return
    list_variants "$lab" || true
}

# Fails if the lab does not build; tests that fail are for the summary to tell.
build_and_test() {
    local lab=$1 out=$output/$1 start=$SECONDS
    say "$lab: building"
    if ! build_lab "$lab"; then
        note "$lab" "build failed"
        say "$lab: DOES NOT BUILD ($((SECONDS - start)) s); see $out/"
        return 1
    fi
    note "$lab" "build ok"
    say "$lab: built ($((SECONDS - start)) s); testing"
    start=$SECONDS
    ctest --test-dir "$build/$lab" -j "$jobs" --timeout "$test_limit" --no-tests=error \
        --output-on-failure --test-output-size-passed 4096 --test-output-truncation middle \
        --output-junit "$out/ctest.xml" >"$out/ctest.log" 2>&1 || true
    say "$lab: $("$summary" tests "$out") ($((SECONDS - start)) s)"
}

bench() {
    local lab=$1 out=$output/$1 start=$SECONDS exclude more result=ok
    read -ra more <<<"${LABS_BENCH_ARGS:-}"
    exclude=$("$summary" failing "$out")
    say "$lab: benchmarking${exclude:+ without ${exclude//,/, }, which failed the tests}"
    rm -rf "$out/csv" "$out/figures" "$out/pictures"
    note "$lab" "bench stopped"
    timeout 20 "$(program_of "$lab")" bench --help >"$out/bench_help.txt" || true
    [[ -z ${more[*]} ]] || note "$lab" "bench_arguments ${more[*]}"
    # In the foreground of the terminal, or Ctrl-C would not reach it.
    timeout --foreground -k 10 "$bench_limit" "$(program_of "$lab")" bench "${more[@]}" \
        "--$mode" --csv-dir "$out/csv" ${exclude:+--exclude "$exclude"} \
        >"$out/bench.log" 2>&1 || result="failed: exit code $?"
    note "$lab" "bench ${result/%code 124/code 124, stopped after $bench_limit s}"
    say "$lab: benchmark $("$summary" bench "$out") ($((SECONDS - start)) s)"
}

# Where no GPU answers, counters give the points of a CUDA variant's speed.
count() {
    local lab=$1 out=$output/$1/counters rules=grading/${1%%-*}.json file variant input options
    [[ -n $points && -e $rules ]] || return 0
    mkdir -p "$out"
    while IFS=$'\t' read -r file variant input options; do
        read -ra options <<<"$options"
        timeout -k 1 "$test_limit" "$(program_of "$lab")" run "$input" --variant "$variant" \
            "${options[@]}" --explain --verify --output "$out/output.png" >"$out/$file" 2>&1 || true
    done < <("${summary%/*}/labs_points" counters "$rules")
}

figures() {
    local lab=$1 out=$output/$1 log=$output/$1/figures.log start=$SECONDS text missing
    mapfile -t missing < <(missing_for_figures)
    if [[ -n ${missing[*]} ]]; then
        text="skipped: missing packages: ${missing[*]}"
    elif ! text=$(harness/plots/draw.sh "$lab" "$out/csv" "$out/figures" 2>>"$log"); then
        text="failed: $text, see $log"
    elif [[ -x $lab/plots/pictures.sh ]] &&
        ! "$lab/plots/pictures.sh" "$(program_of "$lab")" "$out/pictures" >>"$log" 2>&1; then
        text="failed: pictures.sh, see $log"
    else
        text="ok: $text"
    fi
    note "$lab" "figures $text"
    say "$lab: figures $text ($((SECONDS - start)) s)"
}

# The summary writer first: without it the rest could not be reported.
build_summary() {
    say "harness: building labs_summary"
    configure harness && compile harness labs_summary "$output/harness/build.log" &&
        { [[ -z $points ]] || compile harness labs_points "$output/harness/build.log"; } && return
    tail -n 20 "$output"/harness/{configure,build}.log >&2
    printf 'run_all.sh: harness does not build, and every lab needs it\n' >&2
    exit 1
}

report() {
    local result=0
    "$summary" report --mode="$title" ${page:+--report="$page"} "$output" harness "${labs[@]}" ||
        result=$?
    [[ -z $points ]] || "${summary%/*}/labs_points" report "$output" "${labs[@]}"
    return $result
}

interrupted() {
    trap - INT TERM
    say "stopped; what was done so far is in $output"
    [[ ! -x $summary ]] || report || true
    exit 130
}

choose_labs() {
    local number found chosen=()
    for number in ${1//,/ }; do
        found=(lab"$number"-*/CMakeLists.txt)
        [[ $number =~ ^[0-9]+$ && ${#found[@]} == 1 ]] ||
            die "--labs: there is no lab '$number'; there are: ${labs[*]}"
        chosen+=("${found[0]%/CMakeLists.txt}")
    done
    labs=("${chosen[@]}")
}

caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"
shopt -s nullglob
labs=(lab*/CMakeLists.txt)
labs=("${labs[@]%/CMakeLists.txt}")
command=all mode=quick bench=yes install='' page='' points=''
build=$PWD/build-all output=$PWD/results
while (($#)); do
    case $1 in
        --labs | --build-dir | --output | --report) [[ -n ${2:-} ]] || die "$1 wants a value" ;;
    esac
    case $1 in
        figures) command=figures ;;
        starter)
            [[ -n ${2:-} && $2 != -* ]] || die "starter wants a folder"
            command=starter starter_dir=$(cd "$caller" && realpath -m "$2") && shift
            ;;
        --labs) choose_labs "$2" && shift ;;
        --quick | --full) mode=${1#--} ;;
        --no-bench) bench='' ;;
        --points) points=yes ;;
        --install-deps) install=yes ;;
        --build-dir) build=$(cd "$caller" && realpath -m "$2") && shift ;;
        --output) output=$(cd "$caller" && realpath -m "$2") && shift ;;
        --report) page=$(cd "$caller" && realpath -m "$2") && shift ;;
        -h | --help) usage && exit ;;
        *) die "unknown argument '$1'; see --help" ;;
    esac
    shift
done
[[ -n ${labs[*]} ]] || die "there are no labs (lab*/CMakeLists.txt) to run"

export SOURCE_DATE_EPOCH=0 # the same figures from the same data, whenever they are drawn
if [[ $command == figures ]]; then
    check_tools missing_for_figures
    exec harness/plots/redraw_reports.sh
fi

if [[ $command == starter ]]; then
    [[ -e grading/starter.sh ]] || die "starter: this tree is for students already"
    exec grading/starter.sh "$starter_dir" "${labs[@]}"
fi

[[ -z $page ]] || takes_page "$page" || die "--report: cannot write '$page/index.html'"
check_tools harness/tools/missing_packages.sh
generator=() jobs=$(nproc) test_limit=${LABS_TEST_TIMEOUT:-60} summary=$build/harness/labs_summary
[[ -n ${CMAKE_GENERATOR:-} ]] || ! command -v ninja >/dev/null || generator=(-G Ninja)
bench_limit=${LABS_BENCH_TIMEOUT:-$([[ $mode == full ]] && echo 14400 || echo 300)}
title="--$mode$([[ -n $bench ]] || echo ' --no-bench')"

trap interrupted INT TERM
for lab in harness "${labs[@]}"; do # measurements of an earlier run stay until this one measures
    mkdir -p "$output/$lab"
    find "$output/$lab" -mindepth 1 -maxdepth 1 ! -name csv ! -name figures ! -name pictures \
        -exec rm -rf {} +
done
build_summary
for lab in harness "${labs[@]}"; do
    if build_and_test "$lab" && [[ $lab != harness ]]; then
        count "$lab"
        [[ -z $bench ]] || bench "$lab"
        [[ -z $bench ]] || figures "$lab"
    fi
    note "$lab" "finished yes"
done
say "done"
report
