#!/usr/bin/env bash
# new_lab.sh [--grade] [--gone LAB]: a lab is one folder. Without the folder of a lab, the others are
# as before; a lab that new-lab writes changes nothing outside of its folder, and is right, measured,
# drawn, handed out and graded. In copies of the tree, with emulated kernels. --grade: in the sandbox
# too, with the packages for it. --gone: the lab that is taken away; without it, the commit says which
# one. run_all.sh's environment variables apply.
set -uo pipefail # not -e: a check that fails is counted
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
labs=(lab*-*/assignment)
labs=("${labs[@]%/assignment}")
grade='' gone=${labs[0x$(git rev-parse --short=6 HEAD 2>/dev/null || echo 0) % ${#labs[@]}]}
while (($#)); do
    case $1 in
        --grade) grade=$1 ;;
        --gone) gone=${2:-} && shift ;;
        *) echo "new_lab.sh: unknown argument '$1'" >&2 && exit 2 ;;
    esac
    shift
done
[[ -n $gone && -d $gone/assignment ]] ||
    { echo "new_lab.sh: there is no lab '$gone'" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree lab=lab9-threshold
# shellcheck source=tests/checks.sh
. tests/checks.sh
checked=$work/said # of checks.sh
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
refuses() { ! ./run_all.sh new-lab "$1" && [[ -z $(git status --porcelain) ]]; }
commits_all() { git add -A && git -c user.name=test -c user.email=test@localhost commit -qm all; }

mkdir "$tree"
git ls-files -z | xargs -0 cp -p --parents -t "$tree"
cd "$tree" && git init -q . && commits_all || exit 2
export LABS_CUDA=EMULATE CCACHE_BASEDIR=$tree

# --- Without a lab --------------------------------------------------------------------------------

# The sources of the programs; pages and tests have examples from labs.
check "no program names a lab" fails git grep -nE "$(IFS='|' && echo "${labs[*]}")" -- common \
    containers driver emulation grading harness CMakeLists.txt run_all.sh ':!*.md' ':!*/tests/*' \
    ':!driver/templates/README.md.j2'
cp -a "$tree" "$work/without" && cd "$work/without" && rm -r "$gone" && commits_all || exit 2
check "without $gone, includes lead downwards" tests/layers.py
check "edits of known mistakes apply" tests/verdicts.py
mapfile -t pages < <(git ls-files '*.md' ':!grading/starter')
check "links lead somewhere, but those to what is gone" \
    test -z "$(dead_links "${pages[@]}" | grep -v "[ /]$gone\(/\|\$\)")"
check "the driver's tests pass" env -u LABS_CUDA python3 -m unittest discover -s driver/tests -t .
check "the rest is configured" cmake -S . -B "$work/build"
check "the rest is handed out" ./run_all.sh starter "$work/rest"
check "its README has rows of the rest only" test $((${#labs[@]} - 1)) = \
    "$(grep -c '^| [0-9]' "$work/rest/README.md")"
[[ $grade != --grade ]] || check "its grading is configured" cmake -S grading -B "$work/grading"
check "nothing else has changed" test -z "$(git status --porcelain)"
cd "$tree" || exit 2

# --- With a lab more ------------------------------------------------------------------------------

for name in threshold lab9 lab0-x lab1-other lab9-Threshold lab9-std; do
    check "new-lab refuses '$name'" refuses "$name"
done
check "new-lab writes a lab" ./run_all.sh new-lab "$lab"
check "nothing else has changed" test "$(git status --porcelain)" = "?? $lab/"
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
