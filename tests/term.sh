# shellcheck shell=bash
# Sourced by class.sh: a term of two labs with a class of 8 in $work, with the stand-in for `grade
# check`, in a copy of the tree, so that rules and sources may change.
tree=${work:?}/tree term=$work/term
export LABS_GRADE=$PWD/tests/fake_grade.sh
mkdir -p "$tree" "$term"
git ls-files -coz --exclude-standard -- ':!reports' ':!notebooks' | xargs -0 cp --parents -t "$tree"
deadline() { echo "2026-11-0${1}T12:00:00+00:00"; }
# hand_in ID LAB [DAY [VERDICT]]
hand_in() {
    local folder=$term/lab$2/$1
    mkdir -p "$folder" && echo "// by $1" >"$folder/02_omp_rows.cpp"
    echo "{\"verdicts\": {\"omp_mine\": [\"${4:-right}\"]}}" >"$folder/expect.json"
    echo "$1,$2,$(deadline "${3:-2}")" >>"$term/times.csv"
}
grade_lab() {
    "$tree/grading/grade" class "$term/roster.csv" "$term/lab$1" --lab "$1" --out "$term/out$1" \
        --local --jobs 2 --no-similarity --deadlines "$term/deadlines.json" \
        --handed-in "$term/times.csv" "${@:2}"
}
# change LAB CHANGE: of its rules.
change() {
    local rules
    rules=$(echo "$tree/lab$1-"*/assignment/points.json)
    jq "$2" "$rules" >"$work/rules" && cp "$work/rules" "$rules"
}
# Each grading has a seed of its own: those of lab 1.
seeds() { find "$term/out1/students" -name results.json -exec jq -r .extra_data.seed {} + | sort; }
# points ID [COLUMN]: in lab 1.
points() { python3 - "$term/out1/grades.csv" "$@" <<<"
import csv, sys
rows = {row['id']: row for row in csv.DictReader(open(sys.argv[1], newline=''))}
print(rows[sys.argv[2]][(*sys.argv[3:], 'final')[0]])"; }
# as_counted WHAT: lab 1 is graded again by other rules, and nothing but points is made.
as_counted() {
    local before start=$SECONDS
    before=$(seeds)
    check "$1" says 0 "points of 7 submissions, by other rules" grade_lab 1
    check "$1: nothing is graded" test "$before" = "$(seeds)"
    check "$1: in seconds" test $((SECONDS - start)) -lt 20
    check "$1: once" fails says 0 "by other rules" grade_lab 1
}

printf 'id,name\n' >"$term/roster.csv" && printf 's%d,S\n' {1..8} >>"$term/roster.csv"
echo "{\"percent_per_day\": 10, \"labs\": {\"1\": \"$(deadline 2)\", \"2\": \"$(deadline 4)\"}}" \
    >"$term/deadlines.json"
echo "id,lab,time" >"$term/times.csv"
for id in s1 s2 s4 s5 s6; do hand_in $id 1; done
hand_in s3 1 2 wrong
check "lab 1" grade_lab 1
before=$(seeds)
check "tests and speeds were graded" test "$(wc -l <<<"$before")" = 11
printf 'id,lab,task,points,comment\ns1,1,C,5,clear\ns3,1,D,1,\n' >"$term/by_hand.csv"
hand_in s8 1 3
check "a late hand-in, and marks by hand" grade_lab 1
check "only the late one is graded" test "$(comm -13 <(echo "$before") <(seeds) | wc -l)" = 2
check "the others stay" test -z "$(comm -23 <(echo "$before") <(seeds))"
check "marks are added" test "$(points s1) $(points s3) $(points s2)" = "15 1 10"
check "a late day takes a tenth" test "$(points s8)" = 9
check "the page has the mark, with its comment" grep -q clear "$term/out1/students/s1/feedback.html"
check "and says what is late" grep -q "1 day late" "$term/out1/students/s8/feedback.html"

change 1 '.tasks[0].speed |= (.floor = 98 | .full = 99)'
as_counted "another threshold"
check "points by it" test "$(points s1) $(points s2) $(points s8)" = "11 6 5.4"
change 1 '.tasks[0].title = "another title" | .tasks[2].by_hand -= 1 | .tasks[3].by_hand += 1'
as_counted "another title, and points by hand"
check "the page has the title" grep -q "another title" "$term/out1/index.html"
check "the sum of points by hand stays" test "$(points s2 by_hand)" = 11
change 1 '.tasks[2].by_hand = 4 | .tasks[2].tests[0].points += 1'
check "a mark that is too high by now" says 2 "by_hand.csv:2: " grade_lab 1
sed -i 's/C,5/C,4/' "$term/by_hand.csv"
check "a lower one" grade_lab 1
check "is in" test "$(points s1)" = 10

before=$(seeds)
echo "// a comment" >>"$tree/lab2-integral-image/lab.cpp"
check "another lab's source" grade_lab 1
check "nothing is graded" test "$before" = "$(seeds)"
for file in lab1-convolution/ladder/01_seq.cpp grading/src/judge/main.cpp; do
    before=$(seeds)
    echo "// a comment" >>"$tree/$file"
    check "a change of $file" grade_lab 1
    check "all are graded again" test -z "$(comm -12 <(echo "$before") <(seeds))"
done

for i in {1..8}; do hand_in "s$i" 2 4; done
task=$(jq -r 'first(.tasks[] | select(.by_hand) | .id)' "$tree/lab2-"*/assignment/points.json)
echo "s7,2,$task,1,short" >>"$term/by_hand.csv"
check "lab 2" grade_lab 2
check "the course" "$tree/grading/grade" course "$term/roster.csv" "1=$term/out1" "2=$term/out2" \
    --out "$term/course"
check "its table has the sums" python3 - "$term" <<'END_OF_PYTHON'
import csv, sys
def rows(name):
    return {row["id"]: row for row in csv.DictReader(open(f"{sys.argv[1]}/{name}", newline=""))}
course, *labs = map(rows, ("course/course.csv", "out1/grades.csv", "out2/grades.csv"))
assert len(course) == 8 and float(labs[1]["s7"]["score"]) > 1, labs[1]["s7"]
for student, row in course.items():
    total = sum(float(lab[student]["final"]) for lab in labs)
    assert any(cell == f"{total:g}" for cell in row.values()), (row, total)
END_OF_PYTHON
check "all are on its page" test "$(grep -oE '\bs[1-8]\b' "$term/course/index.html" | sort -u | wc -l)" = 8
check "an export" "$tree/grading/grade" export "$term/out1/grades.csv" --to moodle --item "Lab 1" \
    --out "$term/moodle.csv"
check "it has what late days leave" grep -qE '(^|,)s8,.*5\.4' "$term/moodle.csv"
