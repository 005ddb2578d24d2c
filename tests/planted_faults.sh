#!/usr/bin/env bash
# planted_faults.sh [--no-variant] [FOLDER]: runs run_all.sh on a copy of the tree in which lab 1 has
# additional variants: some with one fault each (tests/planted/), and a right one. run_all.sh has to
# report each fault by its name, and the other variants as without these. The copy is made in FOLDER
# and stays there, or in a temporary folder. Unless --no-variant is given, tests/one_variant.sh tests
# `--variant` on the copy afterwards. run_all.sh's environment variables apply.
set -uo pipefail # not -e: a check that fails is counted
work='' afterwards=tests/one_variant.sh
[[ ${1:-} != --no-variant ]] || { afterwards=true && shift; }
[[ -n ${1:-} ]] || { work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; }
unusual="it's a+b ü" # nothing depends on the path
tree=$(realpath -m "${1:-$work/$unusual}")
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

mkdir -p "$tree"
if git rev-parse >/dev/null 2>&1; then
    git ls-files -co --exclude-standard -z | xargs -0 cp -p --parents -t "$tree" || exit 2
else
    tar -c --exclude='./build*' --exclude=./results . | tar -x -C "$tree" || exit 2
fi
cd "$tree" || exit 2
export CCACHE_BASEDIR=$tree # where ccache is used, what was compiled elsewhere counts here

lab=lab1-convolution
# Tests that do not run variants would take half of the time.
find harness/tests $lab/tests -maxdepth 1 -name 'test_*.cpp' ! -name test_data.cpp ! -name test_variants.cpp \
    -delete
rm -r driver/tests
# Of the other variants, some of each kind: all of them would take most of the time.
rm -r $lab/ladder/{0[3468],1[5678],31,33}_* $lab/expert/{register_blocking,tensor_cores}
mapfile -t others < <(grep -rhoP '\.name = "\K\w+' $lab/{ladder,expert,experiments,libraries})
# plant FILES...: they become the last rungs of the ladder.
plant() {
    local file
    for file; do cp "$file" "$lab/ladder/99_${file##*/}"; done
}
plant tests/planted/*.{cpp,cu}
cp tests/planted/planted.hpp $lab/ladder/parts/
sed -i 's/^static void seq(/void seq(/' $lab/ladder/01_seq.cpp # which the planted variants call

# shellcheck source=tests/checks.sh
. tests/checks.sh
contains() { tr '\n' ' ' <"$1" | grep -qE -- "$2"; }
lacks() { ! contains "$@"; }

./run_all.sh --report run_all.sh 2>/dev/null
check "--report: a file is refused, exit code $?" test $? -eq 2

# One experiment is enough: the point is who is measured at all.
LABS_TEST_TIMEOUT=${LABS_TEST_TIMEOUT:-15} LABS_RANDOM_MS=${LABS_RANDOM_MS:-100} \
    LABS_BENCH_ARGS=masks ./run_all.sh --quick --labs 1 --report "$tree/a page" 2>&1 | tee "$tree/terminal"
status=${PIPESTATUS[0]}
check "the exit code is 1, not $status" test "$status" -eq 1
csv=results/$lab/csv/masks.csv

# named VARIANT STATUS DETAIL: the fault is called by its name in the five places.
named() {
    check "$1: terminal says '$2'" grep -E "^$lab $1: $2: .*$3" terminal
    check "$1: summary.md says '$2', without times" contains results/summary.md \
        "\| $1 \|[^|]*\|[^|]*\| - \| - \| - \| $2: [^|]*$3"
    check "$1: results.json says '$2'" contains results/results.json \
        "\"$1\": \{[^}]*\"status\": \"$2\", *\"message\": \"[^\"]*$3"
    check "$1: junit.xml says '$2'" contains results/junit.xml \
        "<testcase name=\"[^\"]*/$1\"[^>]*> *<failure type=\"$2\" message=\"[^\"]*$3"
    check "$1: index.html says '$2'" contains results/index.html \
        ">$1</th>[^/]*/span> $2</td>(<td class=\"number\">-</td>)*<td class=\"note\">[^<]*$3"
}
# The tests find the fault, so that it is not benchmarked.
found_by_tests() {
    named "$@"
    check "$1: is not benchmarked" lacks $csv ",$1,"
}
found_by_bench() {
    named "$1" "$2" "in the benchmark: $1 [0-9x]+ .*: $3"
}
# correct_emulated VARIANT: the five places say so, without a time.
# shellcheck disable=SC2016 # names of jq
correct_emulated() {
    local right='correct \(emulated\)'
    check "$1: terminal says $right" grep -E "^$lab +$1 +yes +$right +- +- +-" terminal
    check "$1: summary.md says $right" contains results/summary.md \
        "\| $1 \| yes \| $right \| - \| - \| - \|"
    check "$1: results.json says $right" jq -e --arg lab $lab --arg name "$1" \
        '.labs[$lab].variants[$name] | .result == "correct (emulated)" and .kernel_ms == null' \
        results/results.json
    check "$1: junit.xml says $right" contains results/junit.xml \
        "/$1\"[^>]*> *<properties> *<property name=\"result\" value=\"$right\""
    check "$1: index.html says $right" contains results/index.html \
        ">$1</th>[^/]*/span> $right</td>(<td class=\"number\">-</td>){3}"
    check "$1: is not benchmarked" lacks $csv ",$1,"
}
# run_says CODE TEXT OPTIONS...: `run` with these options.
run_says() {
    build-all/$lab/convolution run random:64x48 --output out.png "${@:3}" >said 2>&1
    check "run ${*:3}: exit code $?" test $? -eq "$1"
    check "run ${*:3}: says '$2'" contains said "$2"
}
# listed VARIANT KEY: `list --json` says that KEY is true.
listed() { contains results/$lab/variants.json "\"name\": \"$1\",[^}]*\"$2\": true"; }

found_by_tests omp_does_not_compile "does not compile" "inn"
found_by_tests omp_ends_at_start crash "it ends the program before main\(\) \(exit code 0\)"
found_by_tests omp_exits crash "it ended the program \(exit\) before the test was over"
found_by_tests omp_segfaults crash SEGFAULT
found_by_tests omp_hangs timeout "killed after"
found_by_tests omp_refuses refused "of [0-9]+ configurations \(first: .*not today"
found_by_tests omp_takes_one_size refused "of [0-9]+ configurations \(first: .*64x64 only"
found_by_tests omp_one_wrong_pixel wrong "expected [0-9]+, got [0-9]+; 1 of [0-9]+ values wrong"
found_by_tests omp_tolerant wrong "values wrong"
found_by_tests omp_right_once wrong "values wrong"
found_by_bench omp_right_until_timed wrong "WRONG in timed repeat [0-9]+: "
found_by_bench omp_exits_in_benchmark crash "CRASH: it ended the program with exit code 0"
if listed cuda_faults emulated; then
    found_by_tests cuda_faults wrong \
        "on [0-9x]+ .*: misaligned access .* in 99_cuda_faults.cu:9, kernel write_misaligned"
    others+=(cuda_faults_in_benchmark) # it is right in the tests, and no benchmark runs it
    run_says 1 "^error: cuda_faults is WRONG, nothing written: misaligned" --variant cuda_faults
    run_says 0 "time +- \(emulated\) verified every value is as defined \(emulated\)" \
        --variant cuda_shared --verify
    run_says 0 "variant +omp_[a-z]+ .*time +kernel [0-9.]+ ms" # never an emulated one
elif listed cuda_faults available; then
    found_by_tests cuda_faults crash "misaligned address"
    found_by_bench cuda_faults_in_benchmark crash "CRASH: device fault: .*misaligned address"
else
    echo "not checked: planted faults of kernels, which this build cannot run"
fi

# Nothing changes for the others: those that can run here are right. Those that are not emulated have
# their times.
for variant in "${others[@]}" omp_right; do
    check "$variant: list names it" contains results/$lab/variants.json "\"name\": \"$variant\""
    if contains results/$lab/variants.json \
        "\"name\": \"$variant\",[^}]*\"available\": false, *\"reason\": \"[^\"]"; then
        check "$variant: skipped" contains results/results.json \
            "\"$variant\": \{[^}]*\"status\": \"skipped\""
        continue
    fi
    check "$variant: results.json says 'ok'" contains results/results.json \
        "\"$variant\": \{[^}]*\"built\": true, *\"status\": \"ok\""
    check "$variant: tested" contains results/junit.xml "ConvolutionTest.sizes/$variant\""
    if listed "$variant" emulated; then
        correct_emulated "$variant"
        continue
    fi
    [[ $variant != mpi_* ]] || continue # they have experiments of their own
    check "$variant: benchmarked with all masks" \
        test "$(grep -cE ",masks,$variant,([^,]*,){6}[0-9]" $csv)" -eq 4
    check "$variant: its time is in the summary" contains results/summary.md \
        "\| $variant \| yes \| yes \| [0-9.]+( ± [0-9]+ %)? \|"
done
for variant in seq omp_rows omp_simd omp_best omp_right; do
    check "$variant: not skipped" lacks results/results.json \
        "\"$variant\": \{[^}]*\"status\": \"skipped\""
done
check "what was not checked is said" grep -E \
    "^FAILED: .* Not checked in $lab: .*races of [0-9]+ variants: " terminal
check "no test fails but those of the planted variants" lacks terminal "not of a variant"
check "the benchmark left whole files" test -z "$(find results/$lab/csv -name '*.partial')"
check "--report: the same page is there" cmp results/index.html "a page/index.html"

echo "$passed passed, $failed failed"
$afterwards . && ((failed == 0))
