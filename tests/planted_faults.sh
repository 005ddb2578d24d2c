#!/usr/bin/env bash
# run_all.sh on a copy of the tree in which lab 1 has a variant that does not compile, one that
# segfaults, one that hangs, one that is wrong at a single value, and a new one that is right.
set -uo pipefail # not -e: a check that fails is counted
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

lab=lab1-convolution
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
if git rev-parse >/dev/null 2>&1; then
    git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$tree" || exit 2
else
    tar -c --exclude='./build*' --exclude=./results . | tar -x -C "$tree" || exit 2
fi
cd "$tree" || exit 2
cp tests/planted/*.cpp $lab/src/variants/
cat tests/planted/lines.def >>$lab/src/variants.def

passed=0 failed=0
# check WHAT COMMAND...: COMMAND succeeds.
check() {
    local what=$1
    shift
    if "$@" >/dev/null 2>&1; then
        ((++passed)) && echo "passed: $what"
    else
        ((++failed)) && echo "FAILED: $what ($*)"
    fi
}
contains() { tr '\n' ' ' <"$1" | grep -qE -- "$2"; }
lacks() { ! contains "$@"; }

./run_all.sh --report run_all.sh 2>/dev/null
check "--report: a file is refused, exit code $?" test $? -eq 2

# One experiment is enough: the point is who is measured at all.
LABS_CUDA=OFF LABS_TEST_TIMEOUT=${LABS_TEST_TIMEOUT:-15} LABS_BENCH_ARGS="masks" \
    ./run_all.sh --quick --labs 1 --report "$tree/a page" 2>&1 | tee "$tree/terminal"
status=${PIPESTATUS[0]}
check "the exit code is 1, not $status" test "$status" -eq 1

# named VARIANT STATUS DETAIL: the fault is called by its name in the five places.
named() {
    check "$1: terminal says '$2'" grep -E "^$lab $1: $2: .*$3" terminal
    check "$1: summary.md says '$2'" contains results/summary.md "\| $1 \|[^|]*\|[^|]*\|[^|]*\|[^|]*\|[^|]*\|[^|]*$3"
    check "$1: results.json says '$2'" contains results/results.json \
        "\"$1\": \{[^}]*\"status\": \"$2\", *\"message\": \"[^\"]*$3"
    check "$1: junit.xml says '$2'" contains results/junit.xml \
        "<testcase name=\"[^\"]*/$1\"[^>]*> *<failure type=\"$2\" message=\"[^\"]*$3"
    check "$1: index.html says '$2'" contains results/index.html \
        ">$1</th>[^/]*/span> $2</td>(<td class=\"number\">-</td>)*<td class=\"note\">[^<]*$3"
    check "$1: is not benchmarked" lacks results/$lab/csv/masks.csv ",$1,"
}
named omp_does_not_compile "does not compile" "inn"
named omp_segfaults crash SEGFAULT
named omp_hangs timeout "killed after"
named omp_one_wrong_pixel wrong "expected [0-9]+, got [0-9]+; 1 of [0-9]+ values wrong"

for variant in seq omp_rows omp_right; do
    check "$variant: results.json says 'ok'" contains results/results.json \
        "\"$variant\": \{[^}]*\"built\": true, *\"status\": \"ok\""
    check "$variant: tested" contains results/junit.xml "ConvolutionTest.sizes/$variant\""
    check "$variant: benchmarked" contains results/$lab/csv/masks.csv ",masks,$variant,"
    check "$variant: its time is in the summary" contains results/summary.md \
        "\| $variant \| yes \| yes \| [0-9.]+ \| [0-9.]+ \|"
done
check "--report: the same page is there" cmp results/index.html "a page/index.html"
check "list names the new variant" contains results/$lab/variants.json '"name": "omp_right"'

echo "$passed passed, $failed failed"
((failed == 0))
