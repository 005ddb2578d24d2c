#!/usr/bin/env bash
# repeat.sh [--times N] [--load N] [--labs "1 2 3 4"]: the points for speed repeat. Grades the
# solutions of the CPU tasks of each lab N (10) times, beside N (1) loops that keep a core busy; all
# points for a speed are the same. Prints a table. Not in CI: a shared machine is worse.
# Exit code: 0 they repeat, 1 they do not, 2 bad usage, 3 a tool is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
die() { printf 'repeat.sh: %s\n' "$2" >&2 && exit "$1"; }
times=10 load=1 labs='1 2 3 4'
while (($#)); do
    case $1 in
        --times | --load | --labs) (($# > 1)) || die 2 "$1 needs a value" ;;
        *) die 2 "there is no option $1" ;;
    esac
    declare "${1#--}=$2" && shift 2
done
[[ $times =~ ^[1-9][0-9]*$ ]] || die 2 "--times needs a number from 1, not '$times'"
[[ $load =~ ^[0-9]+$ ]] || die 2 "--load needs a number, not '$load'"
[[ $labs =~ ^[1-4](\ [1-4])*$ ]] || die 2 "--labs needs numbers from 1 to 4, not '$labs'"
command -v jq >/dev/null || die 3 "needs jq (Debian: apt-get install jq)"

work=$(mktemp -d) loops=()
trap 'rm -rf "$work"; ((${#loops[@]} == 0)) || kill "${loops[@]}"' EXIT
for lab in $labs; do # builds what it needs while the machine is quiet
    mkdir "$work/$lab"
    for file in $(jq -r '.tasks[] | select(.speed) | .file | select(endswith(".cpp"))' \
        lab"$lab"-*/assignment/points.json); do
        cp lab"$lab"-*/"$file" "$work/$lab"
    done
    grading/grade check "$work/$lab" --lab "$lab" --out "$work/warm" --part speed >/dev/null
done
for ((i = 0; i < load; ++i)); do
    setsid bash -c 'while :; do :; done' &
    loops+=($!)
done
for lab in $labs; do
    for ((i = 0; i < times; ++i)); do
        grading/grade check "$work/$lab" --lab "$lab" --out "$work/out" --part speed >/dev/null
        jq -r '.tests[] | select(.name | endswith("speed")) |
            (.output | capture("^(?<speedup>[0-9.]+) times as fast")) as $match |
            [.name, .score, .max_score, $match.speedup] | @tsv' "$work/out/results.json" | sed "s/^/lab $lab: /" >>"$work/points"
    done
done

echo 'what                              least points   most points   of    least speedup   most speedup'
sort "$work/points" | awk -F '\t' '
    function show() {
        if (name == "") return
        printf "%-32s %13g %13g %4g %16g %14g\n", name, low, high, all, slow, fast
        if (high - low > 1e-9) failed = 1
    }
    $1 != name { show(); name = $1; low = high = $2; all = $3; slow = fast = $4 }
    { low = $2 < low ? $2 : low; high = $2 > high ? $2 : high
      slow = $4 < slow ? $4 : slow; fast = $4 > fast ? $4 : fast }
    END { show(); exit failed }' || { echo "repeat.sh: the points differ" >&2 && exit 1; }
