#!/usr/bin/env bash
# class.sh [--students N] [--scheduler local|slurm] [--real]: `grade class` on a generated class of N
# (12) students: right, wrong and cheating submissions in turn, one student without a submission.
# Without --real, tests/fake_grade.sh stands for `grade check`: the test is of the class then, and only
# the comparison of submissions uses grading/grade. The run is killed in the middle and resumed; the
# grades have to be those of `grade check` one by one. Then a term of two labs (tests/term.sh).
# LABS_GRADE_OPTIONS has more options of `grade check`, such as --test-seconds 5.
# Exit code: 0 all as expected, 1 something was not, 2 bad usage.
set -uo pipefail # not -e: a check that fails is counted
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
tests=$PWD/tests assignment=lab1-convolution/assignment
students=12 scheduler=local real=0
while (($#)); do
    case $1 in
        --students) students=${2:?} && shift 2 ;;
        --scheduler) scheduler=${2:?} && shift 2 ;;
        --real) real=1 && shift ;;
        *) echo "class.sh: there is no option $1" >&2 && exit 2 ;;
    esac
done
work=$(mktemp -d "${CLASS_TMP:-/tmp}/class.XXXXXX")
trap 'rm -rf "$work"' EXIT
program=$PWD/tests/fake_grade.sh
((real == 0)) || program=$PWD/grading/grade
cat >"$work/grade" <<END
#!/usr/bin/env bash
[[ \$1 != check ]] || set -- "\$@" ${LABS_GRADE_OPTIONS:-}
exec "$program" "\$@"
END
chmod +x "$work/grade"
export LABS_GRADE=$work/grade

# shellcheck source=tests/checks.sh
. tests/checks.sh
checked=$work/output # of checks.sh

tests/submissions/unpack.py "$work/unpacked" || exit 2
mapfile -t kinds < <(cd "$work/unpacked" && ls -d right/{rows,fast,other_files} \
    wrong/{one_pixel,does_not_compile,stub} cheat/{constructor_exit,late_thread,message,pipe})
echo "name,id,remark" >"$work/roster.csv"
for ((i = 1; i <= students; ++i)); do
    id=$(printf 's%03d' "$i")
    kind=${kinds[i % ${#kinds[@]}]}
    printf '"O'\''Neil, ""%s"" <b>","%s",x\n' "$kind" "$id" >>"$work/roster.csv"
    ((i != students)) || continue # who has not handed in anything
    mkdir -p "$work/submissions" && cp -r "$work/unpacked/$kind" "$work/submissions/$id"
    (cd "$work/submissions/$id" && TMPDIR=$work "$tests/submissions/prepare.sh" "$kind")
done
# Names that a spreadsheet would compute, and files that must not widen the table.
cat >>"$work/roster.csv" <<'END'
"=HYPERLINK(""http://example.org"";""x"")",s901,x
"  @SUM(1+1)",@s902,x
-2+3,s903,x
END
((students += 3))
for id in s901 @s902 s903; do mkdir "$work/submissions/$id"; done
cp "$work/submissions/s001/"*.cpp "$work/submissions/s901/"
sed -i 's/omp_mine/omp_other/g' "$work/submissions/s901/"*.cpp
mv "$work/submissions/s901/omp_mine.cpp" "$work/submissions/s901/omp_other.cpp"
cp "$work/submissions/s001/"*.cpp "$work/submissions/@s902/"
cp "$work/submissions/s001/"*.cpp "$work/submissions/s903/"
touch "$work/submissions/notes.txt" && mkdir "$work/submissions/nobody"

class() {
    grading/grade class "$work/roster.csv" "$work/submissions" --lab 1 --out "$work/out" \
        "--$scheduler" --jobs 2 "$@"
}
# says CODE TEXT COMMAND...
says() {
    "${@:3}" >"$work/said" 2>&1
    [[ $? == "$1" ]] && grep -qF -- "$2" "$work/said"
}
graded() { find "$work/out/students" -path '*/tests/results.json' | wc -l; }

# --- bad input: one line, exit code 2
printf 'id\nx\nx\n' >"$work/twice.csv"
printf 'id\n../x\n' >"$work/path.csv"
printf 'name\nx\n' >"$work/no_id.csv"
printf 'id,name\nx,\xff\n' >"$work/latin.csv"
for roster in twice path no_id latin missing; do
    check "bad roster: $roster" fails_with 2 grading/grade class "$work/$roster.csv" \
        "$work/submissions" --lab 1 --out "$work/bad" --local
    check "one line for it" test "$(wc -l <"$work/output")" -eq 1
done
check "no such lab" fails_with 2 grading/grade class "$work/roster.csv" "$work/submissions" \
    --lab x --out "$work/bad"

# --- killed in the middle, and resumed
start=$SECONDS
setsid bash -c "$(declare -f class); $(declare -p work scheduler); class" >"$work/first.log" 2>&1 &
run=$!
for ((i = 0; i < 6000; ++i)); do
    (($(graded 2>/dev/null) >= students / 3)) && break
    kill -0 "$run" 2>/dev/null || break # it has ended: the checks below say so
    sleep 0.1
done
pkill -KILL -g "$run" && wait "$run" 2>/dev/null
[[ $scheduler != slurm ]] || sleep 1
before=$(graded)
check "killed in the middle: $before of $students are graded" test "$before" -lt "$students"
check "no table yet" test ! -e "$work/out/grades.csv"
first=$(find "$work/out/students" -path '*/tests/results.json' -printf '%p %T@\n' | sort | head -n 1)
check "resumed: all are graded" class
echo "both runs: $((SECONDS - start)) s for $students students"
check "what was graded is not graded again" grep -qxF "$first" \
    <(find "$work/out/students" -path '*/tests/results.json' -printf '%p %T@\n')
touch "$work/before"
start=$SECONDS
check "again" class
echo "a run with nothing to do: $((SECONDS - start)) s"
check "nothing is graded again" test -z "$(find "$work/out/students" -name results.json \
    -newer "$work/before")"

# --- a run that is ended leaves nothing that grades
for number in TERM KILL INT; do
    FAKE_SECONDS=30 setsid env --default-signal=INT grading/grade class "$work/roster.csv" \
        "$work/submissions" --lab 1 --out "$work/ended" --local --jobs 2 >"$work/ended.log" 2>&1 &
    run=$!
    for ((i = 0; i < 100; ++i)); do
        pgrep -f "check $work/submissions.* --out $work/ended" >/dev/null && break
        sleep 0.1
    done
    check "it grades" pgrep -f "check $work/submissions.* --out $work/ended"
    kill "-$number" "$run" && wait "$run" 2>/dev/null
    for ((i = 0; i < 100; ++i)); do # of the 30 s of a submission
        pgrep -f "(task|--out) $work/ended" >/dev/null || break
        sleep 0.1
    done
    check "after SIG$number nothing grades" fails pgrep -f "(task|--out) $work/ended"
    check "no traceback" fails grep Traceback "$work/ended.log"
done

# --- the results
out=$work/out
check "a row for each student" test "$(wc -l <"$out/grades.csv")" -eq $((students + 1))
check "one has not submitted" grep -qE "^s0*$((students - 3)),.*,not submitted,0,100,0," "$out/grades.csv"
check "no field begins a formula" fails grep -qP '(^|,)"?\s*[=+@-](?!\d+(\.\d+)?(,|$))' \
    "$out/grades.csv" "$out/pseudonyms.csv"
check "the columns are those of the rules" test "$(sed '1s/,remarks$//;q' "$out/grades.csv")" = \
    "id,name,status,score,max_score,by_hand,$(jq -r '[.tasks[].variant | values] | join(",")' \
        "$assignment/points.json"),others"
check "other variants are in one column" grep -q '^s901,.*,omp_other: ' "$out/grades.csv"
check "nobody else is in it" fails grep -q nobody "$out/grades.csv"
check "junit.xml is XML" xmllint --noout "$out/junit.xml"
check "pages are escaped" fails grep -q '<b>' "$out/index.html" "$out/leaderboard.html"
check "the leaderboard names nobody" fails grep -qE "O.Neil|s0[0-9]+" "$out/leaderboard.html"
check "a page for each" test "$(find "$out/students" -name feedback.html -path '*/tests/*' | wc -l)" \
    -eq $((students - 1))
check "others cannot read them" test "$(stat -c %a "$out/students")" = 700
names=$(cat "$out/pseudonyms.csv")
check "again" class
check "pseudonyms stay" test "$names" = "$(cat "$out/pseudonyms.csv")"

# --- similarity, of submissions made for it
mkdir -p "$work/alike/out/logs" "$work/alike/in/"{copy,macros,large,given_1,given_2,reads,hang_1,hang_2}
mkdir -p "$work/alike/in/"{loop,openmp,has_include,digraphs,letters,long_1,long_2,too_long,renamed}
alike=$work/alike kernel=14_cuda_shared.cu
cp "lab1-convolution/ladder/$kernel" "$alike/in/copy/"
{ echo '#define _' && sed -E '/^(#|\/\/)/!s/([;,()])/ _ \1 _ /g' "$alike/in/copy/$kernel"; } \
    >"$alike/in/macros/$kernel"
{ cat "$alike/in/copy/$kernel" && printf '\n//%0300000d' 1; } | head -c 262144 >"$alike/in/large/$kernel"
echo "the secret of another file" >"$alike/secret"
printf '/*\n*/ # /*\n*/ include /*\n*/ "%s"\n#inc\\\nlude "%s"\nint x;\n' "$alike/secret" "$alike/secret" \
    >"$alike/in/reads/omp_mine.cpp"
cp "$assignment/starter/ladder/19_cuda_broken.cu" "$alike/in/given_1"
cp "$assignment/starter/ladder/19_cuda_broken.cu" "$alike/in/given_2"
# A text that only the grading's compiler sees, and one that would make sim_c++ slow.
loop=lab1-convolution/ladder/05_omp_strips.cpp
cp $loop "$alike/in/loop/omp_strips.cpp"
decoy='void omp_strips(int a) { for (int row = 0; row != a; ++row) a += row * 3; }'
{ echo '#ifdef _OPENMP' && cat $loop && printf '#else\n%s\n#endif\n' "$decoy"; } \
    >"$alike/in/openmp/omp_strips.cpp"
{ echo '#if __has_include("problem/variant.hpp")' && cat $loop && printf '#else\n%s\n#endif\n' "$decoy"; } \
    >"$alike/in/has_include/omp_strips.cpp"
sed -E '/^#/!{s/\[/<:/g; s/\]/:>/g; s/\{/<%/g; s/}/%>/g; s/&&/ and /g; s/\b[0-9]+\b/0x&'"'"'0/g}' $loop \
    >"$alike/in/digraphs/omp_strips.cpp"
sed -E '/^#/!s/\b(begin|end|row|sum|[a-z])\b/\1_ö$/g' $loop >"$alike/in/letters/omp_strips.cpp"
# prefix SEED FUNCTIONS: code without repetitions.
prefix() {
    awk -v seed="$1" -v count="$2" 'BEGIN {
        srand(seed); signs = split("+ - * / % & | ^ << >> < > == !=", sign)
        for (f = 0; f < count; ++f) {
            text = "a"
            for (i = 0; i < 20; ++i) {
                text = text sign[1 + int(rand() * signs)] (rand() < .5 ? "b" : "-(a)")
                if (rand() < .3) text = "(" text ")"
            }
            print "static int f" f "(int a, int b) { return " text "; }"
        } }'
}
for id in long_1 long_2; do
    { prefix "$id" 300 && cat "$loop"; } >"$alike/in/$id/omp_strips.cpp"
done
prefix 3 1200 >"$alike/in/too_long/omp_strips.cpp"
sed -E 's/\b(x|y|pixel|image)\b/\1_2/g' lab1-convolution/ladder/10_cuda_per_channel.cu \
    >"$alike/in/renamed/$kernel"
for id in hang_1 hang_2; do
    yes 'y y y y y y y y' | head -n 4000 >"$alike/in/$id/omp_rows.cpp"
    yes 'a b c + ( d' | head -n 4000 >"$alike/in/$id/omp_mine.cpp"
done
ls "$alike/in" >"$alike/out/ids"
similarity() {
    python3 - "$alike" <<'END' && cat "$alike/out/similarity.txt"
import sys
from driver.classes import similarity, task
work = sys.argv[1]
run = task.Run(submissions=work + "/in", out=work + "/out", lab="1", hidden="", seed="",
               grade="grading/grade",
               assignment="lab1-convolution/assignment", todo="")
missing = similarity.write(run, open(work + "/out/ids").read().split(), 2)
print(*missing, file=open(work + "/out/missing", "w"))
END
}
# percent WHO: the most that a student's kernel has in common with another student's.
percent() {
    sed -nE "/students\/$1\//s/.* consists for ([0-9]+) % of .*/\1/p" "$alike/out/similarity.txt" |
        sort -n | tail -n 1
}
check "similarity" similarity
check "who is not compared" grep -qx "reads too_long" "$alike/out/missing"
check "a file that is too long is said" grep -qx "not compared: too_long/omp_strips.cpp: .*tokens" \
    "$alike/out/similarity.txt"
check "a given file under another name is said" grep -qx \
    "students/renamed/$kernel is the given ladder/10_cuda_per_channel.cu, .*" "$alike/out/similarity.txt"
check "no other file is" test "$(grep -c " the given " "$alike/out/similarity.txt")" = 1
check "a file that does not compile is said" grep -q "^not compared: reads/omp_mine.cpp: .*secret" \
    "$alike/out/similarity.txt"
if command -v sim_c++ >/dev/null && ! command -v dolos >/dev/null; then
    check "a file of 262144 bytes is compared" test "$(percent large)" -ge 90
    check "empty macros hide nothing" test "$(percent macros)" -ge 80
    check "nor does #ifdef _OPENMP" test "$(percent openmp)" -ge 90
    for id in has_include digraphs letters; do
        check "nor does $id" test "$(percent $id)" -ge 90
    done
    check "long files are compared in windows" grep -q \
        "^students/long_1/omp_strips.cpp consists for .*students/long_2" "$alike/out/similarity.txt"
    check "the given files are like nothing" fails grep -E 'given_|base' "$alike/out/similarity.txt"
else
    echo "not checked: the percentages of sim_c++, which is not here or takes second place to dolos"
fi
check "no other file is read" fails grep -rq secret "$alike/out/similarity"

# --- the same as one by one
same() {
    local id=$1
    "$LABS_GRADE" check "$work/submissions/$id" --lab 1 --out "$work/alone/$id" --part tests &&
        diff <(jq -S '[.extra_data.variants[] | {name, verdict}]' "$work/alone/$id/results.json") \
            <(jq -S '[.extra_data.variants[] | {name, verdict}]' "$out/students/$id/tests/results.json")
}
mkdir "$work/alone"
alone=(1 2 4 7)
((students < 300)) || mapfile -t alone < <(seq 1 23 254) # one or two of each kind
for i in "${alone[@]}"; do
    id=$(printf 's%03d' "$i")
    check "$id: as alone" same "$id"
done

# --- another submission of one student: only that one is graded again
echo "// changed" | tee -a "$work/submissions/s002/"*.cpp >/dev/null
touch "$work/before"
check "again" class
check "only the changed one is graded again" test "$(find "$out/students" -path '*/tests/results.json' \
    -newer "$work/before")" = "$out/students/s002/tests/results.json"

# --- one task of two students again: the results of their other files stay
mapfile -t again < <(find "$out/students" -path '*/speed/results.json' | sort | head -n 2 |
    xargs dirname | xargs dirname | xargs -n 1 basename)
results_since() { find "$out/students" -path "*/$1/results.json" -newer "$work/before" | sort; }
verdicts() {
    local student
    for student in "${again[@]}"; do
        jq -S '[.extra_data.variants[] | {name, verdict, speedup}]' \
            "$out/students/$student/speed/results.json"
    done
}
if ((students < 300)); then
    verdicts >"$work/verdicts"
    touch "$work/before"
    check "task D of two students again" class --task D --only "${again[0]},${again[1]}"
    check "their tests" test "$(results_since tests)" = \
        "$(printf "$out/students/%s/tests/results.json\n" "${again[@]}")"
    check "and their speeds" test "$(results_since speed)" = \
        "$(printf "$out/students/%s/speed/results.json\n" "${again[@]}")"
    check "other results are as before" diff "$work/verdicts" <(verdicts)
    touch "$work/before"
    check "again" class
    check "nothing is graded again" test -z "$(results_since '*')"
    check "a task that there is not" fails_with 2 class --task %
    check "a student who is not in the roster" fails_with 2 class --only nobody
fi

# --- a part that failed is no grade
if ((real == 0 && students < 300)); then
    rm -r "$out/students/${again[0]}/speed"
    export FAKE_SPEED_FAILS=1
    check "a speed run that fails: exit code 1" fails_with 1 class
    check "its student is not graded" grep -q "^${again[0]},.*,not graded,0,100," "$out/grades.csv"
    check "so is one whose task was to be timed again" says 1 "${again[1]}: not graded" \
        class --task D --only "${again[1]}"
    unset FAKE_SPEED_FAILS
    check "the speed run that was missing" class
    check "and the student is graded" grep -q "^${again[0]},.*,graded," "$out/grades.csv"
fi

# --- deadlines, and exports
cat >"$work/deadlines.json" <<'END'
{"percent_per_day": 50, "labs": {"1": "2026-11-02T23:59:00+01:00"}}
END
printf 'id,lab,time\ns001,1,2026-11-03T12:00:00+01:00\n' >"$work/times.csv"
check "deadlines need times" fails_with 2 class --deadlines "$work/deadlines.json"
jq '.extensions = {"s0O1": {"1": .labs["1"]}}' "$work/deadlines.json" >"$work/misspelt.json"
check "an extension of nobody" says 2 "'s0O1' has an extension and is not in the roster" \
    class --deadlines "$work/misspelt.json" --handed-in "$work/times.csv"
check "with deadlines" class --deadlines "$work/deadlines.json" --handed-in "$work/times.csv"
check "a late day takes half of the points" python3 - "$out/grades.csv" <<'END'
import csv, sys
rows = {row["id"]: row for row in csv.DictReader(open(sys.argv[1], newline=""))}
late, unknown = rows["s001"], rows["s002"]
assert float(late["final"]) == float(late["score"]) / 2 and late["late_days"] == "1", late
assert unknown["final"] == unknown["score"] and unknown["late_days"] == "?", unknown
END
for to in moodle canvas; do
    check "export to $to" grading/grade export "$out/grades.csv" --to "$to" --item "Lab 1" \
        --out "$out/$to.csv"
    check "a line for each student" test "$(grep -cE '(^|,)s[0-9]+,|@s902' "$out/$to.csv")" \
        -eq "$students"
done
check "a gradebook of another program" fails_with 2 grading/grade export "$out/grades.csv" --to canvas \
    --item "Lab 1" --out "$work/x.csv" --like "$work/times.csv"
check "no file then" test ! -e "$work/x.csv"

# --- other hidden tests: all are graded again
# to_grade HIDDEN: how many students would be graded by a run as the first one was. The later ones, of
# a task, would grade others.
to_grade() {
    jq --arg hidden "$1" '.hidden = $hidden' "$(find "$out/logs" -name 'run.*.json' \
        -printf '%T@ %p\n' | sort -n | head -n 1 | cut -d ' ' -f 2)" >"$work/run.json"
    python3 -m driver.classes.task "$work/run.json" tests --todo <"$out/ids" | wc -l
}
mkdir "$work/hidden" && echo "// a test" >"$work/hidden/mine.cpp"
check "without, none" test "$(to_grade "")" -eq 0
check "with hidden tests, all" test "$(to_grade "$work/hidden")" -eq $((students - 1))

# --- two runs at once
exec 8>"$out/lock" && flock 8
check "a second run in the same folder is refused" fails_with 1 class
exec 8>&-
# shellcheck source=tests/term.sh
. tests/term.sh

echo "$passed passed, $failed failed"
((failed == 0))
