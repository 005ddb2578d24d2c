#!/usr/bin/env bash
# gradescope.sh: the zip of `grade gradescope` has what Gradescope's specification wants, and its
# run_autograder grades a right submission, and says so when the grading itself fails.
# Exit code: 0 all as expected, 1 something was not.
set -uo pipefail # not -e: a check that fails is counted
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. tests/checks.sh
checked=$work/output # of checks.sh

mkdir "$work/hidden" "$work/autograder" && touch "$work/hidden/notes"
check "the zip is written" grading/grade gradescope "$work/a.zip" --lab 1 --hidden "$work/hidden"
check "and can be unpacked" unzip -q "$work/a.zip" -d "$work/autograder/source"
source=$work/autograder/source
for file in setup.sh run_autograder; do
    check "$file is at the root, and can be run" test -x "$source/$file"
done
check "the hidden tests are in it" test -f "$source/hidden/notes"
check "no build folder is in it" test ! -e "$source/labs/grading/build"
check "no other lab than 1 to 9" fails grading/grade gradescope "$work/b.zip" --lab x
check "only a zip file" fails grading/grade gradescope "$work/b.tar" --lab 1

# The submission is graded by the build of this tree; the zip's own would be the same.
rm -r "$source/hidden"
mkdir -p "$work/autograder/submission"
tests/submissions/unpack.py "$work/unpacked" || exit 2
cp "$work/unpacked/right/rows/omp_mine.cpp" "$work/autograder/submission/"
export AUTOGRADER=$work/autograder LABS_GRADE_BUILD=${LABS_GRADE_BUILD:-$PWD/grading/build}
results=$work/autograder/results/results.json
check "run_autograder" "$source/run_autograder"
check "results.json is Gradescope's" jq -e '(.score | type) == "number" and (.tests | length) > 0' \
    "$results"
check "right" jq -e '.extra_data.variants[0].verdict == "right"' "$results"
check "in the mode of Gradescope" jq -e '.extra_data.sandbox.mode == "gradescope"' "$results"
check "a fault of the grading fails" fails env LABS_GRADE_BUILD=/dev/null "$source/run_autograder"
check "and gives no points" jq -e 'has("score") | not' "$results"
echo "$passed passed, $failed failed"
((failed == 0))
