#!/usr/bin/env bash
# new_lab.sh [--grade]: a lab that new-lab writes is right, measured, drawn, handed out and graded. In
# a copy of the tree, with emulated kernels. --grade: in the sandbox too. run_all.sh's environment
# variables apply.
set -uo pipefail # not -e: a check that fails is counted
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
grade=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree lab=lab9-threshold
export LABS_CUDA=EMULATE CCACHE_BASEDIR=$tree

passed=0 failed=0
# check WHAT COMMAND...: COMMAND succeeds.
check() {
    local what=$1 start=$SECONDS
    shift
    if "$@" >"$work/said" 2>&1; then
        ((++passed)) && echo "passed after $((SECONDS - start)) s: $what"
    else
        ((++failed)) && echo "FAILED after $((SECONDS - start)) s: $what ($*)"
        tail -n 15 "$work/said"
    fi
}
says() { grep -qE -- "$1" "$2"; }
# drawn CSV FOLDER: the figures, from the rows as a machine without other work would have them. Beside
# other work, all rows may be too noisy for a ratio, and then there is no staircase.
drawn() {
    mkdir "$2" && python3 - "$1" "$2/ladder.csv" <<'END' &&
import csv, sys
with open(sys.argv[1]) as measured, open(sys.argv[2], "w") as steady:
    rows = csv.DictReader(measured)
    written = csv.DictWriter(steady, rows.fieldnames)
    written.writeheader()
    for row in rows:
        rate = 100 * float(row["gb_per_s"]) / float(row["copy_gb_per_s"])
        written.writerow(row | {"noise": "", "spread": "0", "disturbed": "0",
                                "percent_of_copy": f"{rate:.1f}"})
END
        python3 -m driver.report.figures draw "$lab" "$2" "$2" && test -s "$2/staircase-cpu.svg"
}
refuses() { ! python3 -m driver.tools.newlab "$1" && [[ -z $(git status --porcelain) ]]; }

mkdir "$tree"
git ls-files -z | xargs -0 cp -p --parents -t "$tree"
cd "$tree" || exit 2
git init -q . && git add -A && git -c user.name=test -c user.email=test@localhost commit -qm all

for name in threshold lab9 lab0-x lab1-other lab9-Threshold lab9-std; do
    check "new-lab refuses '$name'" refuses "$name"
done
check "new-lab writes a lab" python3 -m driver.tools.newlab "$lab"
git add -A
new_files() { git diff --cached --name-only --diff-filter=A | grep -E '\.(cpp|hpp|cu)$'; }
check "its files have the layout of all others" bash -c \
    "$(printf 'clang-format --dry-run -Werror %s' "$(new_files | tr '\n' ' ')")"
check "its includes lead downwards" tests/layers.py
check "each of its rungs is a program" tests/rungs.py --lab 9 -O 1
check "it is built, tested, measured and drawn" ./run_all.sh --labs 9 --points
check "races were looked for" jq -e \
    ".labs[\"$lab\"].variants.omp_rows | .status == \"ok\" and .not_checked == {}" results/results.json
for variant in seq omp_rows cuda_pixels; do
    check "$variant is correct" says "\| $variant \| yes \| (yes|correct)" results/summary.md
done
check "its ladder is drawn" drawn "results/$lab/csv/ladder.csv" "$work/steady"
check "it is measured for reports/" ./run_all.sh measure ladder --labs 9
check "this machine has a folder there" test -s "$(echo "reports/$lab"/cpu-*core/ladder.csv)"
check "its default variant runs" "build-all/$lab/threshold" run scene:landscape:64x48 --verify \
    --output "$work/out.png"
check "the students' tree is written" ./run_all.sh starter "$work/starter" --labs 9
check "its tasks are stubs" grep -q NotDoneYet "$work/starter/$lab/ladder/02_omp_rows.cpp" \
    "$work/starter/$lab/ladder/10_cuda_pixels.cu"

check "docs/new-lab.md's threshold filter applies" git apply tests/threshold.patch
check "each of its rungs is a program, too" tests/rungs.py --lab 9 -O 1
check "it is built and tested" ./run_all.sh --labs 9 --no-bench --points
check "its tests are about levels" says 'levels/omp_rows' "results/$lab/ctest.xml"

if [[ $grade == --grade ]]; then
    mkdir -p "$work/in" "$work/stub"
    cp "$lab"/ladder/{02,10}_* "$work/in"
    cp "$lab"/assignment/starter/ladder/* "$work/stub"
    check "the solution is graded" grading/grade check "$work/in" --lab 9 --out "$work/out" \
        --part tests
    check "it is right" test "$(jq -r '[.extra_data.variants[].verdict] | unique | join(" ")' \
        "$work/out/results.json")" = right
    check "the stubs are graded" grading/grade check "$work/stub" --lab 9 --out "$work/out2" \
        --part tests
    check "they are not done yet" test "$(jq -r \
        '[.extra_data.variants[].verdict] | unique | join(" ")' "$work/out2/results.json")" = \
        "not done yet"
fi
echo "$passed passed, $failed failed"
((failed == 0))
