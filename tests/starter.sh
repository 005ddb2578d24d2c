#!/usr/bin/env bash
# starter.sh [--solved LAB,LAB] [FOLDER]: the tree for students, of all labs that have a manifest. It
# lacks what the manifests say, and all tests but those of variants; it builds without a warning;
# stubs, and solutions and renamed files (of all labs, or of those with these numbers) get the points
# that they deserve. Speed depends on the machine, so it is not measured here;
# driver/tests/test_points.py tests its rules on made-up times. The tree stays in FOLDER, or is made
# in a temporary folder. run_all.sh's environment variables apply.
set -uo pipefail # not -e: a check that fails is counted
shopt -s nullglob globstar extglob dotglob
solved='[0-9]+'
[[ ${1:-} != --solved ]] || { solved=${2//,/|} && shift 2; }
work=$(realpath -m "${1:-$(mktemp -d)}")
[[ -n ${1:-} ]] || trap 'rm -rf "$work"' EXIT
cd "$(dirname "${BASH_SOURCE[0]}")/.." && mkdir -p "$work" || exit 2
mapfile -t solved_labs < <(printf '%s\n' lab*-*/ | grep -E "^lab($solved)-")
((${#solved_labs[@]})) || { echo "starter.sh: there is no lab $solved" >&2 && exit 2; }
repository=$PWD tree=$work/tree

# shellcheck source=tests/checks.sh
. tests/checks.sh
checked=$work/said # of checks.sh

labs=(lab*-*/assignment/starter.manifest)
labs=("${labs[@]%%/*}")
numbers=("${labs[@]#lab}") numbers=("${numbers[@]%%-*}")

# manifest_lines WORD...: "FOLDER/ PATH" of the lines with one of these words, in all manifests.
manifest_lines() {
    local lab word path
    for lab in '' "${labs[@]}"; do
        while read -r word path; do
            [[ " $* " != *" $word "* ]] || printf '%s\n' "${lab:+$lab/}$path"
        done <"$([[ -z $lab ]] && echo grading || echo "$lab/assignment")/starter.manifest"
    done
}

# --- What the tree has ----------------------------------------------------------------------------

check "starter: a folder that is not empty is refused" fails ./run_all.sh starter . \
    --labs "$(IFS=, && echo "${numbers[*]}")"
check "the starter is written" ./run_all.sh starter "$tree" \
    --labs "$(IFS=, && echo "${numbers[*]}")"
[[ -e $tree/run_all.sh ]] || { echo "there is no starter to test" && exit 1; }

all_files() { git ls-files | grep -vE "^((reports|notebooks)/)?lab($others)-" | sort; }
others=$(printf '%s\n' lab*-*/ | grep -oP '^lab\K[0-9]+' |
    grep -vxF "$(printf '%s\n' "${numbers[@]}")" | paste -sd'|')
[[ -n $others ]] || others=none
all_files >"$work/repository"
(cd "$tree" && find . -type f -printf '%P\n') | sort >"$work/starter"
manifest_lines remove | while read -r glob; do
    # shellcheck disable=SC2086 # a pattern
    find $glob -type f
done | cat - <(git ls-files grading 'lab*/assignment/*' 'reports/lab*' harness/tests emulation/tests \
    'lab*/tests/test_*' ':!reports/lab*/pictures/*' ':!lab*/tests/test_variants.*') |
    sort -u >"$work/removed"
{ manifest_lines add && printf '%s/points.json\n' "${labs[@]}"; } | sort >"$work/added"
manifest_lines stub part | sort >"$work/replaced"

comm -23 "$work/repository" "$work/starter" | comm -3 - <(comm -12 "$work/removed" \
    "$work/repository") >"$work/unexpected"
first_unexpected() { head -n 3 "$work/unexpected" | tr '\n\t' '  '; }
check "what is missing is what the manifests remove: $(first_unexpected)" \
    test ! -s "$work/unexpected"
comm -13 "$work/repository" "$work/starter" | comm -3 - "$work/added" >"$work/unexpected"
check "what is new is what the manifests add: $(first_unexpected)" \
    test ! -s "$work/unexpected"

# A page as text without links.
plain() { perl -0777 -pe 's/!\[[^\]]*\]\([^)]*\)//g; s/\[([^\]]*)\]\([^)]*\)/$1/g' "$1"; }
same() {
    cmp -s "$1" "$2" || { [[ $1 == *.md ]] && cmp -s <(plain "$1") <(plain "$2"); }
}
changed=()
while read -r file; do
    same "$file" "$tree/$file" || changed+=("$file")
done < <(comm -12 "$work/repository" "$work/starter")
check "what differs is what the manifests replace: ${changed[*]}" \
    cmp <(printf '%s\n' "${changed[@]}" | sort) "$work/replaced"
for lab in "${labs[@]}"; do
    rules=$lab/assignment/points.json
    check "$lab: the students' rules have no hidden test" \
        fails grep -q '"visible": false' "$tree/$lab/points.json"
    check "$lab: 100 points" jq -e '[.tasks[] | select(.bonus | not) | [.tests[]?.points], [.answers[]?.points], .by_hand,
        .speed.points | if type == "array" then add else . end] | add == 100' \
        "$rules"
    check "$lab: counters have the points of the speed" jq -e '.tasks
        | map(select(.speed and .counters) | .speed.points == ([.counters[].points] | add)) | all' \
        "$rules"
    check "$lab: the key has the answers" cmp \
        <(jq -r '.tasks[].answers[]?.name' "$rules" | sort) \
        <(sed -n 's/^\([a-z0-9_]*\) *=.*/\1/p' "$lab/assignment/key/answers.txt" | sort)
done
mapfile -t pages < <(find "$tree" -name '*.md')
check "links of its pages lead somewhere" test -z "$(dead_links "${pages[@]}")"
check "a starter makes no starter" fails "$tree/run_all.sh" starter "$work/other"

# --- What it grades -------------------------------------------------------------------------------

cd "$tree" || exit 2
export CCACHE_BASEDIR=$tree # where ccache is used, what was compiled elsewhere counts here

random_ms=${LABS_RANDOM_MS:-100}
# grade: runs the tests and leaves the points in results.json. Speed is not measured.
grade() {
    LABS_RANDOM_MS=$random_ms LABS_CUDA=EMULATE LABS_TEST_TIMEOUT=${LABS_TEST_TIMEOUT:-15} \
        ./run_all.sh --points --no-bench --labs "$(IFS=, && echo "${numbers[*]}")" 2>&1
    python3 -m driver.run.points report --repository "$repository" results "${labs[@]}"
}
# points LAB FILTER: FILTER, of jq, is true for the lab's points; $given are its rules.
points() {
    jq -e --slurpfile rules "$1/points.json" ".labs[\"$1\"] as \$lab | \$lab.points | $2" \
        results/results.json
}
# The files of the tasks: `stub` or `add` lines of a lab's manifest.
lines() { sed -n "s/^$2 \(ladder.*\)/\1/p" "$repository/$1/assignment/starter.manifest"; }
stubs() { lines "$1" stub; }
variant_of() { sed -n 's/.*\.name = "\([a-z0-9_]*\)".*/\1/p' "$1" | head -n 1; }

grade >"$work/stubs.log"
for lab in "${labs[@]}"; do
    check "$lab: the starter builds" test -s "results/$lab/ctest.xml"
    check "$lab: without a warning" fails grep -i 'warning' "results/$lab/build.log"
    check "$lab: stubs have 0 points" points "$lab" '.points == 0'
    while read -r file; do
        variant=$(variant_of "$lab/$file")
        check "$lab: $variant is not done yet" jq -e --arg variant "$variant" \
            ".labs[\"$lab\"].variants[\$variant].status == \"not done yet\"" results/results.json
    done < <(stubs "$lab")
done

# The program itself, with the stub of the first task of the first lab.
program=build-all/${labs[0]}/$(sed -n 's/^add_lab(\([a-z_]*\).*/\1/p' "${labs[0]}/CMakeLists.txt")
stub=$(variant_of "${labs[0]}/$(stubs "${labs[0]}" | head -n 1)")
says() { # CODE TEXT ARGUMENTS...
    "$program" "${@:3}" >"$work/output" 2>&1
    [[ $? == "$1" ]] && grep -q -- "$2" "$work/output"
}
image=scene:landscape:64x48
check "run: $stub is not done yet" says 77 "^error: $stub: not done yet$" \
    run $image --variant "$stub" --output out.png
check "run: without --variant takes one that is done" says 0 "^variant  seq" \
    run $image --output out.png
check "bench: leaves $stub out" says 0 "^note: left out: $stub (not done yet)$" \
    bench ladder --variants "$stub" --csv-dir csv

# From here on, what is given has been built and tested once; the libraries are no part of a task.
rm -r lab*/libraries
random_ms=${LABS_RANDOM_MS:-30}

# The solutions, and the answers of the key.
labs=("${solved_labs[@]%/}")
numbers=("${labs[@]#lab}") numbers=("${numbers[@]%%-*}")
for lab in "${labs[@]}"; do
    stubs "$lab" | while read -r file; do cp "$repository/$lab/$file" "$lab/$file"; done
    key=$repository/$lab/assignment/key
    cp "$key/answers.txt" "$lab/" && sed -i 's/= *\([0-9.]*\)\.\..*/= \1/' "$lab/answers.txt"
    lines "$lab" add | while read -r file; do (cd "$lab" && git apply "$key/$file.patch"); done
done
grade >"$work/solutions.log"
for lab in "${labs[@]}"; do
    check "$lab: solutions have all points but those for speed" points "$lab" \
        '[.tasks[].scores[] | select(.by_teacher | not) | select(.what != "speed")
            | .points == .of] | all'
    check "$lab: speed is not measured" points "$lab" \
        '[.tasks[].scores[] | select(.what == "speed") | .points == 0] | all'
done

# Renamed files: the sequential version in place of the first OpenMP task, the given kernel in place
# of the CUDA tasks, and in place of the second OpenMP task one that refuses everything.
renamed() { # FROM TO: the file FROM registers as the variant of the file TO
    local from to
    from=$(variant_of "$1") to=$(variant_of "$2")
    sed "s/Backend::seq/Backend::omp/; s/\b$from\b/$to/g" "$1" >"$2.renamed" && mv "$2.renamed" "$2"
}
for lab in "${labs[@]}"; do
    mapfile -t omp < <(stubs "$lab" | grep _omp_)
    mapfile -t cuda < <(stubs "$lab" | grep _cuda_)
    given=("$lab"/ladder/*_cuda_*) && for file in "${given[@]}"; do
        grep -qxF "${file#"$lab"/}" <(stubs "$lab" && lines "$lab" add) || break
    done
    seq=("$lab"/ladder/01_*)
    ((${#omp[@]} == 0)) || renamed "${seq[0]}" "$lab/${omp[0]}"
    stub=$repository/$lab/assignment/starter/${omp[1]:-}
    ((${#omp[@]} < 2)) ||
        sed 's/common::NotDoneYet()/common::Unsupported("not today")/' "$stub" >"$lab/${omp[1]}"
    for task in "${cuda[@]}"; do renamed "$file" "$lab/$task"; done
done
grade >"$work/renamed.log"
for lab in "${labs[@]}"; do
    rules=$repository/$lab/assignment/points.json
    mapfile -t omp < <(stubs "$lab" | grep _omp_)
    id_of() { jq -r --arg file "$1" '.tasks[] | select(.file == $file) | .id' "$rules"; }
    ((${#omp[@]} == 0)) || check "$lab: the sequential version renamed has 0 points" \
        points "$lab" "[.tasks[] | select(.id == \"$(id_of "${omp[0]}")\") | .points == 0] | all"
    ((${#omp[@]} < 2)) || check "$lab: a task that refuses everything has 0 points" points "$lab" \
        "[.tasks[] | select(.id == \"$(id_of "${omp[1]}")\") | .points == 0] | all"
    check "$lab: a given kernel renamed has no points for counters" points "$lab" \
        '[.tasks[].scores[] | select(.what | test("^(test|answer|speed|explanation)") | not)
            | .points == 0] | all'
done

echo "$passed passed, $failed failed"
((failed == 0))
