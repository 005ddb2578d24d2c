#!/usr/bin/env bash
# one_variant.sh TREE: tests `run_all.sh --labs 1 --variant NAME` in TREE, a copy that
# planted_faults.sh made and built. Each variant of tests/planted/ has to get its verdict.
set -uo pipefail # not -e: a check that fails is counted
cd "${1:?usage: one_variant.sh TREE}" || exit 2
lab=lab1-convolution
out=results/one-variant/$lab

# shellcheck source=tests/checks.sh
. tests/checks.sh
says() { grep -qE -- "$1" said; }
# run CODE TEXT OPTIONS...: run_all.sh ends with CODE, and a line of what it says is like TEXT. The
# command in the array `under`, if there is one, starts it.
under=()
run() {
    local status
    "${under[@]}" ./run_all.sh "${@:3}" >said 2>&1
    status=$?
    check "${under[0]:-} ${*:3}: exit code $status, wanted $1" test $status -eq "$1"
    check "${under[0]:-} ${*:3}: says '$2'" says "$2"
}
verdict() { run "$1" "^$3: $2" --labs 1 --variant "$3" "${@:4}"; }
one_line() { check "${*:1}: one line" test "$(wc -l <said)" -eq 1; }
plant() { cp "tests/planted/$1" "$lab/ladder/99_$1"; }

run 2 "^run_all.sh: $lab has no file of a variant 'omp_mien'; there are: .*omp_rows" --labs 1 --variant omp_mien
one_line omp_mien
run 2 "--variant wants one lab" --labs 1,2 --variant omp_rows
one_line "several labs"
run 2 "--variant wants one lab" --variant omp_rows
run 2 "--watch wants --variant" --labs 1 --watch
run 2 "--variant goes with" --labs 1 --variant omp_rows --points

cp tests/planted/omp_right.cpp $lab/ladder/04_omp_right.cpp # a new file is found
rm -f $lab/ladder/99_omp_right.cpp
verdict 0 "right: ([0-9.]+( to [0-9.]+)?x seq|too noisy)" omp_right
check "omp_right: timed beside the rung before" \
    test "$(cut -d , -f 3 $out/csv/ladder.csv | sort -u | wc -l)" -ge 4 # the heading, seq, and two
verdict 0 "right: not measured" omp_right --no-bench
cp $lab/ladder/02_omp_rows.cpp $lab/ladder/98_omp_right.cpp
run 2 "has several files of the variant 'omp_right'" --labs 1 --variant omp_right
rm $lab/ladder/98_omp_right.cpp

# The verdicts are the same as in Docker and as of another user, and where ThreadSanitizer cannot run,
# they say so. The tree's path is unusual, too: see planted_faults.sh.
sed 's/parallel for/parallel/; s/omp_right/omp_nofor/g' tests/planted/omp_right.cpp \
    >$lab/ladder/97_omp_nofor.cpp
expect_race() {
    verdict 1 "wrong, in the test .*races/omp_nofor:" omp_nofor --no-bench
    check "${under[0]:-}: names the race" says ": race: one thread writes .*97_omp_nofor.cpp:"
}
expect_race
under=(tests/in_docker.py) && expect_race && verdict 0 "right: " omp_right --no-bench
under=(bash -c 'ulimit -v 3000000; exec "$@"' limited)
verdict 77 "right as far as it was checked: " omp_nofor --no-bench
check "a limit on memory: names what was not checked" says \
    '^not checked: races of omp_nofor: ThreadSanitizer .* it needs ulimit -v unlimited, not 3000000'
if ((EUID == 0)); then
    chown -R 12345 . && chmod o+x .. ../..
    under=(setpriv --reuid 12345 --regid 12345 --clear-groups
        env HOME=/nonexistent PATH=/usr/bin:/bin CCACHE_DISABLE=1) && expect_race
    chown -R 0 .
fi
under=()
rm $lab/ladder/97_omp_nofor.cpp

# Each fault costs its own verdict, with the message of the first test that failed.
for fault in omp_one_wrong_pixel omp_segfaults omp_exits omp_hangs omp_refuses; do
    plant $fault.cpp
done
verdict 1 "wrong, in the test .*/omp_one_wrong_pixel:" omp_one_wrong_pixel
check "omp_one_wrong_pixel: names the pixel" says "first wrong value at .*expected [0-9]+, got"
verdict 1 "crash, in the test .*/omp_segfaults:" omp_segfaults
check "omp_segfaults: names the signal and the line" says "it crashed: SEGFAULT at ladder/99_omp_segfaults.cpp:8[; ]"
verdict 1 "crash, in the test .*/omp_exits:" omp_exits
check "omp_exits: is not passed" says "it ended the program \(exit\) before the test was over"
LABS_TEST_TIMEOUT=5 verdict 1 "timeout, in the test .*/omp_hangs:" omp_hangs
verdict 1 "refused: [0-9]+ of [0-9]+ configurations" omp_refuses
check "omp_one_wrong_pixel: is not timed" test ! -e $out/csv/ladder.csv

plant omp_does_not_compile.cpp
verdict 1 "does not compile" omp_does_not_compile
check "the compiler's message" says "99_omp_does_not_compile.cpp:6:.*error: .*inn"
check "no lines of the build tool" test "$(grep -cE '^FAILED|^\[[0-9]+/|^ninja' said)" -eq 0
verdict 0 "right: " omp_rows # another variant that does not compile is left out
plant omp_ends_at_start.cpp
verdict 1 "crash: it ends the program before main" omp_ends_at_start
verdict 0 "right: " omp_rows

sed -i 's/"omp_right"/"omp_rigth"/' $lab/ladder/04_omp_right.cpp
verdict 77 "skipped: its file registers no variant of its own name" omp_right

if grep -q '"emulated": true' build-all/harness/facts.json; then
    plant cuda_faults.cu
    verdict 1 "wrong, in the test .*/cuda_faults:" cuda_faults
    check "cuda_faults: names the line" says "misaligned access .* in 99_cuda_faults.cu:9"
    verdict 0 "right: correct \(emulated\)" cuda_shared
    check "cuda_shared: counted" says "per request: +requests +lanes +sectors"
    check "cuda_shared: its points" says "^points: [0-9]+ of [0-9]+"
else
    echo "not checked: emulated kernels, which this build does not have"
fi

# --watch: again after a save, until Ctrl-C.
# A shell in the background ignores SIGINT, and so would what it starts.
LABS_RANDOM_MS=50 setsid env --default-signal=INT ./run_all.sh --labs 1 \
    --variant omp_rows --no-bench --watch >watched 2>&1 &
watcher=$!
verdicts() { grep -c '^omp_rows: right' watched; }
wait_for() { for ((i = 0; i < 900; ++i)); do [[ $(verdicts) == "$1" ]] && return; sleep 0.2; done; }
wait_for 1
touch $lab/ladder/02_omp_rows.cpp
wait_for 2
check "--watch: a verdict for each save" test "$(verdicts)" -eq 2
kill -INT -- -$watcher
wait $watcher
check "--watch: Ctrl-C ends it with exit code $?" test $? -eq 0

echo "$passed passed, $failed failed"
((failed == 0))
