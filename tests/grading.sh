#!/usr/bin/env bash
# grading.sh: the tests of the grading, in both kinds of sandbox, and four variants through the whole
# of it. Exit code: 0 all as expected, 1 something was not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LABS_GRADE_BUILD=${LABS_GRADE_BUILD:-$PWD/grading/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "grading.sh: $*" >&2
    exit 1
}

# expect RESULTS VARIANT VERDICT: the verdict in results.json.
expect() {
    local results=$1 variant=$2 verdict=$3
    jq -e --arg name "$variant" --arg verdict "$verdict" \
        '.extra_data.variants[] | select(.name == $name) | .verdict == $verdict' "$results" >/dev/null ||
        fail "$variant is not '$verdict': $(jq -c '.extra_data.variants[] | {name, verdict, reason}' "$results")"
}

mkdir -p "$work/in"
cp lab1-convolution/ladder/{02_omp_rows.cpp,11_cuda_per_pixel.cu} "$work/in"
sed 's/<= std::min(k, in.height - 1 - y)/< std::min(k, in.height - 1 - y)/' \
    lab1-convolution/ladder/02_omp_rows.cpp >"$work/in/omp_wrong.cpp"
sed 's/const int k = mask.radius();/std::exit(0); const int k = mask.radius();/; 1i #include <cstdlib>' \
    lab1-convolution/ladder/02_omp_rows.cpp >"$work/in/omp_exits.cpp"

for mode in bubblewrap gradescope; do
    # With the umask of a class, the first of all builds too.
    (umask 077 && LABS_GRADE_MODE=$mode grading/grade check "$work/in" --lab 1 \
        --out "$work/$mode" --part tests)
    results=$work/$mode/results.json
    expect "$results" omp_rows right
    expect "$results" cuda_per_pixel right
    expect "$results" omp_wrong wrong
    expect "$results" omp_exits crash
done

# A judge that is killed leaves no result.
grading/grade check "$work/in" --lab 1 --out "$work/killed" --part tests &
grader=$!
sleep 4
judge=$(pgrep -P "$grader") || fail "there is no judge after 4 s"
kill -KILL "$grader"
wait "$grader" 2>/dev/null || true
[[ ! -e $work/killed/results.json ]] || fail "there is a result of a judge that was killed"
sleep 1
state=$(ps -o stat= -p "$judge" || true) # Z: ended, and the system has not waited for it yet
[[ -z $state || $state == Z* ]] || fail "the judge outlives the program that started it"

cmake --build "$LABS_GRADE_BUILD" --target grading_tests -j "$(nproc)" >"$work/log" 2>&1 ||
    { cat "$work/log" && fail "the tests do not compile"; }
"$LABS_GRADE_BUILD/tests/grading_tests" --gtest_brief=1
echo "grading.sh: all as expected"
