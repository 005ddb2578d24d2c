#!/usr/bin/env bash
# Builds, tests and benchmarks every lab, each apart from the others, and sums up. What it finds is
# left in files for harness/report/labs_summary, which knows how to read and show them.
# Other shells, and older ones, do not understand what follows.
if ! eval '((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404))' 2>/dev/null; then
    echo 'run_all.sh needs bash 4.4 or newer; run ./run_all.sh' >&2
    exit 2
fi
set +o posix # `sh` may be bash
set -euo pipefail

usage() {
    cat <<'END'
usage: ./run_all.sh [options]   build, test and benchmark every lab, draw the figures, sum up
       ./run_all.sh figures     redraw the figures and tables of reports/ from its CSV files
       ./run_all.sh starter DIR write the tree for students to DIR (grading/README.md)
       ./run_all.sh new-lab NAME writes the smallest whole lab, as lab5-threshold (docs/new-lab.md)

  --labs 1,2,...   only these labs
  --quick          small benchmarks, few random tests (default)
  --full           the complete sweeps, which take hours
  --no-bench       tests only
  --install-deps   install what is missing with apt-get
  --build-dir DIR  default: build-all
  --output DIR     default: results
  --report DIR     the page goes to DIR/index.html too
  --points         print your points by grading/labN.json, and what is missing for the next one
  --variant NAME   with one lab: build, test and time this variant only, and print the verdict
  --watch          with --variant: again whenever a file is saved, until Ctrl-C

The output folder gets index.html, a page with the tables and all pictures and figures in it, and
summary.md, results.json and junit.xml.

From the environment: LABS_CUDA (AUTO: nvcc if a GPU answers, otherwise kernels run emulated on the
CPU; ON: nvcc; EMULATE; OFF), LABS_TEST_TIMEOUT (seconds for one test), LABS_BENCH_TIMEOUT (seconds
for a lab's benchmark), LABS_BENCH_ARGS (more arguments for it), CUDAARCHS, CMAKE_GENERATOR, CXX.
Exit code: 0 all that can run here passed, 1 something failed, 2 bad usage or a missing tool; with
--variant also 77: it is not begun, or cannot run here.
END
}

die() { printf 'run_all.sh: %s\n' "$*" >&2 && exit 2; }
note() { echo "$2" >>"$output/$1/state"; }

# The packages without which there are no figures.
missing_for_figures() {
    command -v gnuplot >/dev/null || echo gnuplot-nox
    command -v sqlite3 >/dev/null || echo sqlite3
    command -v python3 >/dev/null || echo python3
}

# check_tools LIST_MISSING: LIST_MISSING prints the packages without which nothing goes.
check_tools() {
    local missing wanted
    mapfile -t missing < <("$1")
    mapfile -t wanted < <({
        ((${#missing[@]} == 0)) || printf '%s\n' "${missing[@]}"
        missing_for_figures
    } | sort -u)
    if [[ -n $install && -n ${wanted[*]} ]]; then
        begin packages install "installing ${wanted[*]}"
        harness/tools/install_packages.sh "${wanted[@]}" || die "apt-get could not install them"
        mapfile -t missing < <("$1")
        finish packages installed
    fi
    [[ -z ${missing[*]} ]] || die "missing, or too old (CMake 3.25, g++ 12): ${missing[*]}
  To install them, as root:  apt-get install ${missing[*]}
  or run this again with --install-deps"
}

# Fails if the lab does not build; tests that fail are for the summary to tell.
build_and_test() {
    local lab=$1 out=$output/$1
    begin "$lab" "$([[ $lab == "$looked" ]] && echo rest || echo build)" building
    if ! { configure "$lab" -DLABS_SKIP_VARIANTS= && build_lab "$lab" all; }; then
        note "$lab" "build failed"
        say "$lab: DOES NOT BUILD; see $out/"
        return 1
    fi
    note "$lab" "build ok"
    finish "$lab" built
    begin "$lab" test testing
    with_progress "$out/ctest.log" ctest --test-dir "$build/$lab" -j "$jobs" \
        --timeout "$test_limit" --no-tests=error --output-on-failure \
        --test-output-size-passed 4096 --test-output-truncation middle \
        --output-junit "$out/ctest.xml" || true
    finish "$lab" "$("$summary" tests "$out")"
}

bench() {
    local lab=$1 out=$output/$1 exclude more result=ok
    read -ra more <<<"${LABS_BENCH_ARGS:-}"
    exclude=$("$summary" failing "$out")
    begin "$lab" "bench-$mode" \
        "benchmarking${exclude:+ without ${exclude//,/, }, which failed the tests}"
    rm -rf "$out/csv" "$out/figures" "$out/pictures"
    note "$lab" "bench stopped"
    timeout 20 "$(program_of "$lab")" bench --help >"$out/bench_help.txt" || true
    [[ -z ${more[*]} ]] || note "$lab" "bench_arguments ${more[*]}"
    # In the foreground of the terminal, or Ctrl-C would not reach it. Nothing else runs meanwhile.
    timeout --foreground -k 10 "$bench_limit" "$(program_of "$lab")" bench "${more[@]}" \
        "--$mode" --csv-dir "$out/csv" ${exclude:+--exclude "$exclude"} \
        >"$out/bench.log" 2>&1 || result="failed: exit code $?"
    note "$lab" "bench ${result/%code 124/code 124, stopped after $bench_limit s}"
    finish "$lab" "benchmark $("$summary" bench "$out")"
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
    local lab=$1 out=$output/$1 log=$output/$1/figures.log text missing
    begin "$lab" figures "drawing the figures"
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
    finish "$lab" "figures $text"
}

report() {
    local result=0 parts=(harness "${labs[@]}")
    [[ -z $points ]] || parts=("${labs[@]}")
    "$summary" report --mode="$title" ${page:+--report="$page"} "$output" "${parts[@]}" ||
        result=$?
    [[ -z $points ]] || "${summary%/*}/labs_points" report "$output" "${labs[@]}"
    return $result
}

# stopped SIGNAL: after what this run had started has ended.
stopped() {
    if [[ -n $watch && $1 == 2 ]]; then echo && exit 0; fi
    say "stopped; what was done so far is in $output" || true
    [[ -n $variant || ! -x $summary ]] || report || true
    exit $((128 + $1))
}
stopped_redrawing() {
    echo "stopped; not all of reports/ is drawn again" || true
    exit $((128 + $1))
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
cd -P "$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
source harness/tools/folders.sh
source harness/tools/stop.sh
source harness/tools/progress.sh
source harness/tools/build_labs.sh
source harness/tools/one_variant.sh
shopt -s nullglob
labs=(lab*/CMakeLists.txt)
labs=("${labs[@]%/CMakeLists.txt}")
command=all mode=quick bench=yes install='' page='' points='' variant='' watch=''
build=$(realpath -m build-all) output=$(realpath -m results)
if [[ ${1:-} == new-lab ]]; then
    [[ -e driver/newlab.py ]] || die "new-lab: this tree is for students"
    exec python3 -m driver.newlab "${@:2}"
fi
while (($#)); do
    case $1 in
        --labs | --build-dir | --output | --report | --variant)
            [[ -n ${2:-} ]] || die "$1 wants a value"
            ;;
    esac
    case $1 in
        figures) command=figures ;;
        starter)
            [[ -n ${2:-} && $2 != -* ]] || die "starter wants a folder"
            command=starter starter_dir=$(cd "$caller" && realpath -m -- "$2") && shift
            ;;
        --labs) choose_labs "$2" && shift ;;
        --quick | --full) mode=${1#--} ;;
        --no-bench) bench='' ;;
        --points) points=yes ;;
        --variant) variant=$2 && shift ;;
        --watch) watch=yes ;;
        --install-deps) install=yes ;;
        --build-dir) build=$(cd "$caller" && realpath -m -- "$2") && shift ;;
        --output) output=$(cd "$caller" && realpath -m -- "$2") && shift ;;
        --report) page=$(cd "$caller" && realpath -m -- "$2") && shift ;;
        -h | --help) usage && exit ;;
        *) die "unknown argument '$1'; see --help" ;;
    esac
    shift
done
[[ -n ${labs[*]} ]] || die "there are no labs (lab*/CMakeLists.txt) to run"

export SOURCE_DATE_EPOCH=0 # the same figures from the same data, whenever they are drawn
if [[ $command == figures ]]; then
    check_tools missing_for_figures
    exec {lock}<reports
    flock -n "$lock" || die "another run_all.sh figures redraws reports/"
    stoppable stopped_redrawing harness/plots/redraw_reports.sh
    exit "$result"
fi

if [[ $command == starter ]]; then
    [[ -e grading/starter.sh ]] || die "starter: this tree is for students already"
    exec grading/starter.sh "$starter_dir" "${labs[@]}"
fi

if [[ -n $variant$watch ]]; then
    [[ -n $variant ]] || die "--watch wants --variant NAME"
    ((${#labs[@]} == 1)) || die "--variant wants one lab: --labs N"
    [[ $mode == quick && -z $points$page ]] ||
        die "--variant goes with --no-bench, --watch, --build-dir and --output only"
    check_variant "${labs[0]}" "$variant"
    export LABS_BENCH_TIMEOUT=${LABS_BENCH_TIMEOUT:-60}
fi

check_folder --output "$output" .labs-results durations
check_folder --build-dir "$build" .labs-build harness/CMakeCache.txt
if holds "$build" "$output" || holds "$output" "$build"; then
    die "--output and --build-dir: neither may be in the other"
fi
lock_folder --output "$output" .labs-results
lock_folder --build-dir "$build" .labs-build
[[ -z $page ]] || use_page_folder "$page"
[[ -z $variant ]] || output=$output/one-variant # the results of the whole lab stay
mkdir -p "$output"
[[ -n $variant && -e $build/${labs[0]}/CMakeCache.txt ]] ||
    check_tools harness/tools/missing_packages.sh
generator=() jobs=$(harness/tools/cores.sh) test_limit=${LABS_TEST_TIMEOUT:-60} summary=$build/harness/labs_summary
[[ -n ${CMAKE_GENERATOR:-} ]] || ! command -v ninja >/dev/null || generator=(-G Ninja)
bench_limit=${LABS_BENCH_TIMEOUT:-$([[ $mode == full ]] && echo 14400 || echo 300)}
title="--$mode$([[ -n $bench ]] || echo ' --no-bench')"

if [[ -n $variant ]]; then
    command=try_variant && [[ -z $watch ]] || command=watch_variant
    stoppable stopped "$command" "${labs[0]}" "$variant"
    exit "$result"
fi

# Budgets of the tests: of the random cases of a variant, and of each test of an emulated variant.
if [[ $mode == quick ]]; then
    export LABS_RANDOM_MS=${LABS_RANDOM_MS:-300} LABS_EMULATED_MS=${LABS_EMULATED_MS:-150}
fi
# Without the report.
run() {
    local lab looked=''
    for lab in harness "${labs[@]}"; do # measurements of an earlier run stay until this one measures
        mkdir -p "$output/$lab"
        find "$output/$lab" -mindepth 1 -maxdepth 1 ! -name csv ! -name figures ! -name pictures \
            -exec rm -rf {} +
    done
    announce
    begin harness library "building what the labs use"
    build_harness library labs_harness
    finish harness "built what the labs use"
    if wants_look && look_at "${labs[0]}"; then looked=${labs[0]}; fi
    begin harness testing "building what their tests use"
    build_harness testing
    finish harness "built what their tests use"
    for lab in "${labs[@]}"; do
        if build_and_test "$lab"; then
            count "$lab"
            [[ -z $bench ]] || bench "$lab"
            [[ -z $bench ]] || figures "$lab"
        fi
        note "$lab" "finished yes"
        "$summary" show --mode="$title" "$output/$lab"
    done
    # The harness's own tests come last: nobody waits for them to see a lab.
    [[ -n $points ]] || build_and_test harness || true
    note harness "finished yes"
    say "done"
}
stoppable stopped run
((result == 0)) || exit "$result"
report
