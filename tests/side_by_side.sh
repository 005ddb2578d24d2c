#!/usr/bin/env bash
# side_by_side.sh [N]: two gradings at once do not disturb each other. Grades the solutions of lab 1's
# CPU tasks and a kernel twice at the same time, each with a TMPDIR of its own, N (20) times. All
# verdicts are `right`, and the points differ by at most 0.5. Not in CI, which does one pair.
# Exit code: 0 as expected, 1 not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
times=${1:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 711 "$work" && mkdir "$work"/{in,a,b}
cp lab1-convolution/ladder/{02_omp_rows.cpp,05_omp_strips.cpp,11_cuda_per_pixel.cu} "$work/in"

for ((i = 1; i <= times; ++i)); do
    for one in a b; do
        TMPDIR=$work/$one grading/grade check "$work/in" --lab 1 --out "$work/out-$one" \
            >"$work/log-$one" 2>&1 &
    done
    if ! wait -n || ! wait -n; then tail -n 3 "$work"/log-? >&2 && exit 1; fi
    jq -rs --arg pair "$i" '[.[] | .score] as $points | [.[].extra_data.variants[].verdict] |
        "pair \($pair): \(unique | join(", ")); points \($points | join(" and "))",
        (unique == ["right"] and (($points[0] - $points[1]) | fabs) <= 0.5)' "$work"/out-{a,b}/results.json |
        tee "$work/said" | head -n 1
    [[ $(tail -n 1 "$work/said") == true ]] || {
        echo "side_by_side.sh: they differ" >&2
        diff <(jq .tests "$work/out-a/results.json") <(jq .tests "$work/out-b/results.json") >&2
        exit 1
    }
done
