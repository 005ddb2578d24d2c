#!/usr/bin/env bash
# real_time.sh: while a submission that wastes 3 s of all cores in each timed call is graded, an
# ordinary program on each core gets at least 3 % of it in any 2 s.
# Exit code: 0 all as expected, 1 something was not, 3 a tool is missing.
set -uo pipefail # not -e: failures are reported
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
command -v jq >/dev/null || { echo "real_time.sh: needs jq" >&2 && exit 3; }
work=$(mktemp -d)
loops=()
trap 'rm -rf "$work"; ((${#loops[@]} == 0)) || kill "${loops[@]}" 2>/dev/null' EXIT
grade=${LABS_GRADE:-grading/grade}

tests/submissions/unpack.py "$work/unpacked" || exit 2
mkdir "$work/in" && cp "$work/unpacked/real_time/spins/omp_mine.cpp" "$work/in/"

# Busy until the file "end" is there; then prints the smallest share of its core in 2 s.
cat >"$work/share.pl" <<'END'
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID);
my ($end, @times, @cpu) = @ARGV;
my ($from, $next, $least) = (0, 0, 1);
while (1) {
    my $now = clock_gettime(CLOCK_MONOTONIC);
    next if $now < $next;
    $next = $now + 0.01;
    push @times, $now;
    push @cpu, clock_gettime(CLOCK_PROCESS_CPUTIME_ID);
    while ($now - $times[$from] >= 2) {
        my $share = ($cpu[-1] - $cpu[$from]) / ($now - $times[$from]);
        $least = $share if $share < $least;
        ++$from;
    }
    last if -e $end;
}
printf "%.3f\n", $least;
END
mapfile -t cores < <(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' |
    while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done)
for core in "${cores[@]}"; do
    taskset -c "$core" perl "$work/share.pl" "$work/end" >"$work/share.$core" &
    loops+=($!)
done
timeout 600 "$grade" check "$work/in" --lab 1 --out "$work/out" --part speed >"$work/log" 2>&1
status=$?
touch "$work/end"
wait "${loops[@]}"
loops=()
((status == 0)) || { tail -n 3 "$work/log" >&2 && exit 1; }
jq -r '.extra_data.variants[] | "\(.name): \(.verdict), speedup \(.speedup)"' "$work/out/results.json"
for core in "${cores[@]}"; do
    share=$(<"$work/share.$core")
    echo "core $core: at least $share of it in any 2 s"
    jq -en "$share > 0.03" >/dev/null || status=1
done
((status == 0)) && echo "real_time.sh: as expected"
exit "$status"
