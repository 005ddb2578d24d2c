#!/usr/bin/env bash
# submissions.sh [-j N] [--out DIR] [--kills N] [--every N [--first K]] [--no-speed | --speeds N]
#     [NAME ...]
# Grades the submissions of tests/submissions with `grade check`, N at once, and compares the
# verdicts with those in their headings; NAME is right/rows, or cheat for all cheats. With --every N, only each
# Nth of them, from number K on (0 to N-1).
# If a GPU answers, those with verdicts for a GPU ("gpu") are timed as well, in batches.
# After each one: the result is whole, feedback is harmless, nothing of the machine is in it. Then,
# one at a time, the cheats that are right (with --speeds the first N of them): they are at most 10 %
# faster than their honest twins. Then N times (20): a judge that is killed leaves a whole result or
# none; one more grading. At the end, no process and no file is left. LABS_GRADE names another program than
# grading/grade, LABS_GRADE_OPTIONS more options of `check`, such as --test-seconds 20.
# Exit code: 0 all as expected, 1 something was not, 2 bad usage, 3 a tool is missing.
set -uo pipefail # not -e: a check that fails is counted
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
die() { printf 'submissions.sh: %s\n' "$2" >&2 && exit "$1"; }

jobs=1 out='' kills=20 every=1 first=0 speeds=1000 names=()
while (($#)); do
    case $1 in
        -j | --out | --kills | --every | --first | --speeds)
            (($# > 1)) || die 2 "$1 needs a value"
            case $1 in
                -j) jobs=$2 ;; --out) out=$2 ;; --kills) kills=$2 ;; --every) every=$2 ;;
                --first) first=$2 ;; --speeds) speeds=$2 ;;
            esac
            shift 2
            ;;
        --no-speed) speeds=0 && shift ;;
        -*) die 2 "there is no option $1" ;;
        *) names+=("${1%/}") && shift ;;
    esac
done
for tool in jq xmllint; do
    command -v $tool >/dev/null || die 3 "needs $tool (Debian: apt-get install jq libxml2-utils)"
done
((${#names[@]})) || names=(right wrong cheat)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 711 "$work"
submissions=$work/submissions
tests/submissions/unpack.py "$submissions" || exit 2
mapfile -t all < <(for name in "${names[@]}"; do
    (cd "$submissions" && find "$name" -name expect.json -printf '%h\n' | sort)
done | awk -v every="$every" -v first="$first" '(NR - 1) % every == first')
((${#all[@]})) || die 2 "there is no submission '${names[*]}'"

out=$(realpath -m "${out:-$work/out}")
mkdir -p "$out" "$work/in" "$work/tmp"
grade=$(realpath "${LABS_GRADE:-grading/grade}")

# A secret of the machine that everyone may read.
canary=/var/tmp/labs-canary
secret=labs-secret-$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
secret_base64=$(printf '%s\n' "$secret" | base64 -w 0) # as pictures are in HTML
printf '%s\n' "$secret" >$canary && chmod 644 $canary
trap 'rm -rf "$work" "$canary"' EXIT
gpu_part=tests
! nvidia-smi -L >/dev/null 2>&1 || gpu_part=all
export work submissions out grade canary secret secret_base64 gpu_part

# prepare NAME: the folder as a student hands it in.
prepare() {
    local to=$work/in/$1 program=$PWD/tests/submissions/prepare.sh
    mkdir -p "$(dirname "$to")" "$work/tmp/$1" && cp -r "$submissions/$1" "$to" &&
        rm "$to/expect.json" && find "$to" -type f -exec sed -i "s|@CANARY@|$canary|" {} + &&
        (cd "$to" && TMPDIR=$work/tmp/$1 "$program" "$1")
}

# The first thing that is wrong with the results of NAME, or nothing.
complaint() {
    local name=$1 folder=$out/$1 expected=$submissions/$1/expect.json
    [[ -f $folder/results.json ]] || { echo "no results.json" && return; }
    jq -e '(.score | type) == "number" and (.tests | type) == "array"' \
        "$folder/results.json" >/dev/null || { echo "results.json is not Gradescope's" && return; }
    xmllint --noout "$folder/junit.xml" 2>/dev/null || { echo "junit.xml is not XML" && return; }
    ! grep -rqF "<script>alert" "$folder" --include=feedback.html || { echo "script in feedback" && return; }
    ! grep -rqP '\x1b' "$folder" --exclude-dir=pictures || { echo "terminal codes in the results" && return; }
    ! grep -rqF -e "$secret" -e "$secret_base64" "$folder" ||
        { echo "a secret is in the results" && return; }
    ! grep -qs class_seed "$folder"/{results.json,feedback.html,junit.xml} ||
        { echo "the seed of the class is in the results" && return; }
    (($(du -sk "$folder" | cut -f 1) < 8192)) || { echo "more than 8 MB of results" && return; }
    jq -rn --slurpfile e "$expected" --slurpfile r "$folder/results.json" '
        ($r[0].extra_data.variants | map({(.name): .verdict}) | add // {}) as $got |
        ($r[0].extra_data.gpu == "used" and $e[0].gpu != null) as $on_gpu |
        (if $on_gpu then $e[0].gpu else $e[0].verdicts end | to_entries[] | select(.value as $v | $got[.key] as $g | $v | index($g) == null)
            | "\(.key) is \($got[.key] // "missing"), not \(.value | join(" or "))"),
        ($e[0].reasons // {} | to_entries[] | . as $wanted
            | ([$r[0].extra_data.variants[] | select(.name == $wanted.key) | .reason][0] // "") as $said
            | $wanted.value[] | select(. as $part | $said | contains($part) | not)
            | "\($wanted.key) lacks: \(.); it has: \($said)"),
        ($e[0].counters // {} | select($r[0].extra_data.gpu != "used") | to_entries[] | . as $wanted
            | ([$r[0].tests[] | select(.name == $wanted.key)][0] // {}) as $line
            | select(($line | if $wanted.value | type == "number" then .score == $wanted.value
                else .score == 0 and (.output // "" | contains($wanted.value)) end) | not)
            | "\(.key): \($line.score // "no") points, \($line.output // ""), not \(.value)"),
        ($e[0].points // {} | to_entries[] | . as $wanted
            | ([$r[0].tests[] | select(.name == $wanted.key)][0] // {}) as $line
            | select($line.score != $wanted.value)
            | "\(.key): \($line.score // "no") points, \($line.output // ""), not \(.value)"),
        (([$r[0].extra_data.not_graded[]] | join("\n")) as $others
            | ($e[0].not_graded // [])[] | . as $part | select($others | contains($part) | not)
            | "not_graded lacks: \($part); it has: \($others)"),
        ($got | to_entries[] | select($e[0].verdicts[.key] == null and .value == "right")
            | "\(.key) is right, and was not expected")' 2>&1 | head -n 1
}

one() {
    local name=$1 start=$SECONDS status=0 part=tests what verdicts
    ! jq -e .gpu "$submissions/$1/expect.json" >/dev/null || part=$gpu_part
    ! jq -e .timed "$submissions/$1/expect.json" >/dev/null || part=all
    prepare "$name" || { echo "FAILED: $name: prepare.sh" && return; }
    mkdir -p "$(dirname "$out/$name")"
    # shellcheck disable=SC2046,SC2086 # several options
    "$grade" check "$work/in/$name" --lab "$(jq .lab "$submissions/$name/expect.json")" \
        --out "$out/$name" --part "$part" ${LABS_GRADE_OPTIONS:-} \
        $(jq -r '.options // empty' "$submissions/$name/expect.json") \
        >"$work/tmp/${name//\//-}.log" 2>&1 </dev/null || status=$?
    if ((status == 0)); then
        what=$(complaint "$name")
    else
        what="exit code $status: $(tail -n 1 "$work/tmp/${name//\//-}.log")"
    fi
    verdicts=$(jq -r '[.extra_data.variants[] | "\(.name): \(.verdict)"] | join(", ")' \
        "$out/$name/results.json" 2>/dev/null)
    echo "${what:+FAILED: }${what:-passed}: $name: ${verdicts:0:200} ($((SECONDS - start)) s)"
    rm -rf "${work:?}/in/$name"
}
export -f prepare complaint one

# Lists the processes of the grading users that are left (unless another grading has taken the
# user's lock), and their files, segments, queues and semaphores.
left_over() {
    local user process name
    while read -r user process name; do
        ((user >= 1879000000 && user < 1879001000)) || continue
        ! flock -n "/var/lib/labs-grade/$((user - 1879000000)).lock" true ||
            echo "process $process $name"
    done < <(ps -eo uid=,pid=,comm=)
    ps -eo pid=,comm= | awk '$2 == "labs-daemon" { print "process", $1, $2 }'
    find /tmp /var/tmp /dev/shm /dev/mqueue /run /home / -maxdepth 1 \
        \( -uid +1878999999 -uid -1879001000 -o -name 'labs-submission-left-this' \
        -o -name 'labs-touched' -o -path /results.json \) -printf 'file %p\n' 2>/dev/null
    ipcs -qms | awk '/0x6c616273/ { print "kernel object", $0 }'
    # A grader that was killed leaves empty groups, which the next one removes.
    find /sys/fs/cgroup -path '*/labs-grade-*/cgroup.procs' 2>/dev/null | while read -r members; do
        user=${members##*/labs-grade-}
        [[ -d /proc/${user%%-*} || -z $(cat "$members" 2>/dev/null) ]] || echo "group ${members%/*}"
    done
}

# shellcheck disable=SC2016 # the inner shell expands
printf '%s\n' "${all[@]}" | xargs -P "$jobs" -I {} bash -c 'one "$1"' one {} | tee "$work/log"
failed=$(grep -c ^FAILED "$work/log")
passed=$(grep -c ^passed "$work/log")
((failed + passed == ${#all[@]})) || { echo "FAILED: $((${#all[@]} - failed - passed)) without an end" && ((++failed)); }

# The speedup of NAME, graded alone; 0 if a timed call was not right.
speedup() {
    local to=$out/speed/$1
    rm -rf "${to:?}" && prepare "$1" && mkdir -p "$to" || return
    "$grade" check "$work/in/$1" --lab "$(jq .lab "$submissions/$1/expect.json")" \
        --out "$to" --part speed >"$to/log" 2>&1 </dev/null
    rm -rf "${work:?}/in/$1"
    jq '[.extra_data.variants[] | select(.verdict == "right") | .speedup // 0] | max // 0' \
        "$to/results.json"
}

# A cheat that is right is no faster than its honest twin. Other work on the machine misleads single
# measurements, so the slowest of up to five of the cheat counts, and the fastest of its twin, with a
# tenth to spare. What a cheat gains, it gains each time.
no_faster() {
    local cheat='' honest=0
    for _ in 1 2 3 4 5; do
        cheat=$(jq -n "[$(speedup "$1"), ${cheat:-infinite}] | min")
        honest=$(jq -n "[$(speedup "$2"), $honest] | max")
        ! jq -en "$cheat <= 1.1 * $honest" >/dev/null || break
    done
    echo "$1: speedup $cheat, $2: $honest"
    jq -en "$cheat <= 1.1 * $honest" >/dev/null
}
while ((speeds > 0)) && read -r name; do
    twin=$(jq -r '.twin // empty' "$submissions/$name/expect.json")
    if [[ -z $twin ]] || ! grep -q "^passed: $name: .*: right" "$work/log"; then continue; fi
    ((--speeds))
    if what=$(no_faster "$name" "$twin"); then
        ((++passed)) && echo "passed: $what"
    else
        ((++failed)) && echo "FAILED: $what"
    fi
done < <(printf '%s\n' "${all[@]}" | grep ^cheat)

# kill_once: the judge is killed at a random moment of a grading.
kill_once() {
    local delay pid
    rm -rf "$work/in/killed" "$work/killed" && cp -r "$work/in/right/rows" "$work/in/killed"
    setsid "$grade" check "$work/in/killed" --lab 1 --out "$work/killed" >/dev/null 2>&1 </dev/null &
    pid=$!
    delay=$((RANDOM % 6000))
    sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
    pkill -KILL -g "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    [[ ! -f $work/killed/results.json ]] ||
        jq -e '.extra_data.variants[0].verdict == "right"' "$work/killed/results.json" >/dev/null ||
        { echo "FAILED: a judge killed after $delay ms left a part of a result" && return 1; }
}
if ((kills > 0)); then
    prepare right/rows
    for ((i = 0; i < kills; ++i)); do
        if kill_once; then ((++passed)); else ((++failed)); fi
    done
    # Ends a process that waits for one that was killed with its judge.
    "$grade" check "$work/in/right/rows" --lab 1 --out "$work/next" --part tests >"$work/next.log" \
        2>&1 </dev/null || { echo "FAILED: the grading after it: $(tail -n 1 "$work/next.log")" && ((++failed)); }
fi

# The kernel takes a moment to end the processes of a judge that was killed.
for _ in {1..20}; do
    left=$(left_over)
    [[ -n $left ]] || break
    sleep 0.5
done
[[ -z $left ]] || { echo "FAILED: left over: $left" && ((++failed)); }
echo "$passed passed, $failed failed, $SECONDS s"
((failed == 0))
