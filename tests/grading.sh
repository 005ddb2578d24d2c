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
    jq -e '.tests[] | select(.name == "B cuda_per_pixel: warps") | .score == .max_score' "$results" \
        >/dev/null || fail "the repository's kernel has no points for its counter: $(jq -c .tests "$results")"
done

# The speeds are added to the results of the tests, unless a file differs.
speeds() {
    grading/grade check "$work/in" --lab 1 --out "$work/$1" --part speed \
        --tested "$work/bubblewrap"
}
speeds speeds
jq -e --slurpfile tests "$work/bubblewrap/results.json" '
    def without_speeds: [.extra_data.variants[] | {name, verdict, reason, tests, counters}];
    without_speeds == ($tests[0] | without_speeds) and
    ([.extra_data.variants[] | select(.speedup) | .name] == ["omp_rows"])' \
    "$work/speeds/results.json" >/dev/null || fail "the speeds are not added to the tests"
status=0
grading/grade check "$work/in" --lab 1 --out "$work/bubblewrap/." --part speed \
    --tested "$work/bubblewrap" 2>/dev/null || status=$?
[[ $status == 2 && -s $work/bubblewrap/tested.json ]] || fail "the results of the tests are lost"
echo '// changed' >>"$work/in/02_omp_rows.cpp"
status=0
speeds refused_speeds 2>"$work/said" || status=$?
[[ $status == 2 && $(wc -l <"$work/said") == 1 ]] ||
    fail "the tests of another file are taken: $status, $(cat "$work/said")"

# A judge that is killed leaves no result.
grading/grade check "$work/in" --lab 1 --out "$work/killed" --part tests &
grader=$!
judge=''
for ((i = 0; i < 600 && ! judge; ++i)); do # grade itself first looks whether there is something to build
    sleep 0.1
    judge=$(pgrep -P "$grader" -f '/grade_judge_lab1 ' | head -n 1) || true
done
[[ -n $judge ]] || fail "there is no judge after 60 s"
kill -KILL "$grader"
wait "$grader" 2>/dev/null || true
[[ ! -e $work/killed/results.json ]] || fail "there is a result of a judge that was killed"
for ((i = 0; i < 100; ++i)); do
    state=$(ps -o stat= -p "$judge" || true) # Z: ended, and the system has not waited for it yet
    [[ -n $state && $state != Z* ]] || break
    sleep 0.1
done
((i < 100)) || fail "the judge outlives the program that started it"

# Two gradings into the same folder: the second one ends with one line and exit code 2.
mkdir -p "$work/one" "$work/two"
cp lab1-convolution/ladder/02_omp_rows.cpp "$work/one"
grading/grade check "$work/one" --lab 1 --out "$work/same" --part tests &
first=$!
for ((i = 0; i < 600; ++i)); do
    [[ ! -e $work/same/.lock ]] || break
    sleep 0.1
done
status=0
grading/grade check "$work/one" --lab 1 --out "$work/same" --part tests 2>"$work/said" || status=$?
[[ $status == 2 && $(wc -l <"$work/said") == 1 ]] ||
    fail "a second grading into the same folder ends with $status: $(cat "$work/said")"
wait "$first" || fail "the first of two gradings ends with $?"
expect "$work/same/results.json" omp_rows right

# A file that uses up its share of the time is a timeout, and the file beside it is right.
cp "$work/one/"*.cpp "$work/two"
sed 's/const int k = mask.radius();/for (;;) sleep(1); const int k = mask.radius();/; 1i #include <unistd.h>' \
    lab1-convolution/ladder/02_omp_rows.cpp >"$work/two/omp_hangs.cpp"
grading/grade check "$work/two" --lab 1 --out "$work/shares" --part tests --submission-seconds 50
expect "$work/shares/results.json" omp_hangs timeout
expect "$work/shares/results.json" omp_rows right
grep -q "its share of the submission's" "$work/shares/results.json" ||
    fail "no reason names the time for the submission"

# A tree and a build that may be changed.
mkdir "$work/tree" "$work/later"
git ls-files -coz --exclude-standard -- ':!reports' ':!notebooks' | xargs -0 cp --parents -t "$work/tree"
for file in "$LABS_GRADE_BUILD"/*; do
    [[ $file == */settings.json || $file == */grade_check ]] || ln -s "$file" "$work/later"
done
cp "$LABS_GRADE_BUILD/grade_check" "$work/later"
jq --arg source "$work/tree" '.source = $source' "$LABS_GRADE_BUILD/settings.json" \
    >"$work/later/settings.json"
chmod 711 "$work" && chmod 755 "$work/later" "$work/tree"

# by_rules CHANGE OUT OPTION...: grades by the lab's rules after this change.
by_rules() {
    jq "$1" lab1-convolution/assignment/points.json \
        >"$work/tree/lab1-convolution/assignment/points.json"
    "$work/later/grade_check" check "$work/in" --lab 1 --out "$work/$2" "${@:3}" 2>"$work/said"
}
# Other points are counted from what was found before, as a new grading counts them.
sed -i '$d' "$work/in/02_omp_rows.cpp" # as it was graded
points='(.tasks[] | select(.id == "A")) |= (.title = "new" | .by_hand = 1 | .speed.full = 99)
    | (.tasks[] | select(.id == "B")) |= (.tests[0].points = 2 | .counters[0].at_most = 10)'
results=$work/bubblewrap/results.json
by_rules "$points" anew --part tests --seed "$(jq -r .extra_data.seed "$results")" \
    --class-seed "$(grep -oP '"class_seed":\K-?\d+' "$work/bubblewrap/tested.json")" # jq 1.6 rounds it
mv "$work/later/grade_worker_lab1" "$work/later/none" # nothing runs
for part in tests speed; do
    of=$work/bubblewrap
    [[ $part == tests ]] || of=$work/speeds
    by_rules "$points" "counted_$part" --part $part --keep "$of"
    by_rules . "as_before_$part" --part $part --keep "$work/counted_$part"
    diff -r "$of" "$work/as_before_$part" || fail "the first rules do not count as before"
done
# Without times, and the user of the sandbox: another grading may have the first one.
same() { jq -S 'walk(if type == "object" then del(.ms, .user) else . end)' "$1/results.json"; }
{ diff <(same "$work/anew") <(same "$work/counted_tests") &&
    cmp "$work"/{anew,counted_tests}/feedback.html; } ||
    fail "points are not counted as of a new grading"
jq -e '[.tests[] | select(.name | test("warps|omp_rows: speed")) | .score] | length == 2 and add < 1' \
    "$work/counted_speed/results.json" >/dev/null || fail "earlier limits count"
# Rules that ask for another measurement are refused.
other_speed='(.tasks[] | select(.id == "A").speed.against) = "omp_strips"'
by_rules "$other_speed" counted_tests --part tests --keep "$work/bubblewrap"
for change in "$other_speed" 'del(.tasks[] | select(.id == "B").requires)' \
    '(.tasks[] | select(.id == "B").counters[0].input) = "random:48x27"'; do
    status=0
    by_rules "$change" refused --part speed --keep "$work/speeds" || status=$?
    [[ $status == 2 && $(<"$work/said") == *"today's rules want something else measured of"* ]] ||
        fail "counted by $change: $status, $(cat "$work/said")"
done
cp lab1-convolution/assignment/points.json "$work/tree/lab1-convolution/assignment"
mv "$work/later/none" "$work/later/grade_worker_lab1"

# A variant that was right a while ago is tried again after a failure: the machine may be at fault.
later() {
    local status=0
    "$work/later/grade_check" check "$1" --lab 1 --out "$work/later/out" --part tests >/dev/null \
        2>"$work/said" || status=$?
    [[ $status == "$2" ]] || fail "$3: exit code $status, $(cat "$work/said")"
}
mkdir "$work/wrong" && cp "$work/in/omp_wrong.cpp" "$work/wrong"
later "$work/one" 0 "a right file"
sed -i 's/convolution {/convolution { not C++/' "$work/tree/lab1-convolution/ladder/01_seq.cpp"
later "$work/one" 0 "a right file when the known-good one was right a moment ago"
later "$work/wrong" 3 "a wrong file on a machine that is at fault by now"

# Tools that do not work are no fault of the submission: exit code 3, one line, no result.
mkdir -p "$work/build" "$work/tools/bin"
chmod 711 "$work" && chmod 755 "$work/build" "$work/tools" "$work/tools/bin"
cp "$LABS_GRADE_BUILD/grade_check" "$work/build"
for file in "$LABS_GRADE_BUILD"/*; do
    [[ -e $work/build/${file##*/} || $file == */settings.json ]] || ln -s "$file" "$work/build"
done
jq --arg compiler "$work/tools/bin/g++" '.compiler = $compiler' \
    "$LABS_GRADE_BUILD/settings.json" >"$work/build/settings.json"
compiler=$(jq -r .compiler "$LABS_GRADE_BUILD/settings.json")

# fails_here WHAT COMMAND: COMMAND takes the compiler's place.
fails_here() {
    local status=0
    printf '#!/bin/bash\n%s\n' "$2" >"$work/tools/bin/g++" && chmod 755 "$work/tools/bin/g++"
    "$work/build/grade_check" check "$work/one" --lab 1 --out "$work/fault" --part tests \
        2>"$work/said" || status=$?
    [[ $status == 3 && $(wc -l <"$work/said") == 1 && ! -e $work/fault/results.json ]] ||
        fail "$1: exit code $status, $(cat "$work/said")"
}
printf '#!/bin/bash\nexit 1\n' >"$work/tools/as" && chmod 755 "$work/tools/as"
fails_here "a compiler that is killed" "ulimit -t 1; while :; do :; done"
fails_here "no cc1plus" "echo \"g++: fatal error: cannot execute 'cc1plus'\" >&2; exit 1"
fails_here "a full disk" 'echo "No space left on device" >&2; exit 1'
fails_here "an assembler that does not work" "exec $compiler -B $work/tools/ \"\$@\""

# A compiler that somebody kills once: the file is compiled again.
name=omp_killed_$$
cp "$work/one/"*.cpp "$work/two/$name.cpp" && rm "$work/two/omp_hangs.cpp" "$work/two/"02*
grading/grade check "$work/two" --lab 1 --out "$work/again" --part tests &
grader=$!
killed=''
while kill -0 "$grader" 2>/dev/null; do
    killed=$(pgrep -f "cc1plus.* $name.cpp" | head -n 1) && kill -KILL "$killed" 2>/dev/null && break
    sleep 0.01
done
wait "$grader" || fail "with a compiler that was killed once: exit code $?"
[[ -n $killed ]] || fail "the compiler was not seen"
expect "$work/again/results.json" "$name" right

cmake --build "$LABS_GRADE_BUILD" --target grading_tests -j "$(nproc)" >"$work/log" 2>&1 ||
    { cat "$work/log" && fail "the tests do not compile"; }
"$LABS_GRADE_BUILD/tests/grading_tests" --gtest_brief=1
echo "grading.sh: all as expected"
