#!/usr/bin/env bash
# grade class: grades all students of a roster. task.sh grades one of them with `grade check`;
# labs_class makes one table of all results.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
    cat <<'END'
usage: grade class ROSTER.csv SUBMISSIONS --lab N --out OUT [options]

  ROSTER.csv       has the column id, and may have name
  SUBMISSIONS      a folder that holds a folder with the variants' files for each id
  --hidden FOLDER  hidden tests, as for `grade check`
  --jobs N         submissions that are graded at once for correctness; default: half of the cores
  --slurm          as Slurm job arrays: default where there is sbatch
  --local          with GNU parallel: default elsewhere
  --no-speed       correctness only
  --no-similarity  without the comparison of the submissions

Correctness is graded in parallel; then speed, one submission at a time. OUT gets grades.csv,
index.html, leaderboard.html (with the pseudonyms of pseudonyms.csv), junit.xml, similarity.txt and
students/ID/. What is graded already is not graded again unless the submission, the hidden tests,
the rules (grading/labN.json) or the lab differ, so an interrupted run continues where it was.

From the environment: LABS_SBATCH, more options for sbatch.
Exit code: 0 all were graded, 1 some were not, 2 bad usage, 3 a tool is missing.
END
}
die() { printf 'grade class: %s\n' "$2" >&2 && exit "$1"; }
bad_usage() { die 2 "$1"; }

cores=$(cd "$here/../.." && python3 -m driver.cores)
lab='' out='' hidden='' jobs=$(((cores + 1) / 2)) scheduler='' speed=1 similarity=1 positional=()
while (($#)); do
    case $1 in
        --lab | --out | --hidden | --jobs)
            (($# > 1)) || bad_usage "$1 needs a value"
            declare "${1#--}=$2" && shift 2
            ;;
        --slurm | --local) scheduler=${1#--} && shift ;;
        --no-speed) speed=0 && shift ;;
        --no-similarity) similarity=0 && shift ;;
        -h | --help) usage && exit 0 ;;
        -*) bad_usage "there is no option $1" ;;
        *) positional+=("$1") && shift ;;
    esac
done
((${#positional[@]} == 2)) || bad_usage "needs ROSTER.csv and SUBMISSIONS; see --help"
roster=${positional[0]} submissions=${positional[1]}
[[ $lab =~ ^[1-9]$ ]] || bad_usage "--lab needs the number of a lab, not '$lab'"
[[ $jobs =~ ^[1-9][0-9]*$ ]] || bad_usage "--jobs needs a number from 1, not '$jobs'"
[[ -n $out ]] || bad_usage "--out needs a folder"
[[ -f $roster ]] || bad_usage "there is no file '$roster'"
[[ -d $submissions ]] || bad_usage "there is no folder '$submissions'"
[[ -z $hidden || -d $hidden ]] || bad_usage "there is no folder '$hidden'"
if [[ -z $scheduler ]]; then
    scheduler=local && ! command -v sbatch >/dev/null || scheduler=slurm
fi
tool=parallel && [[ $scheduler == local ]] || tool=sbatch
command -v python3 >/dev/null || die 3 "needs python3 (Debian: apt-get install python3)"
command -v "$tool" >/dev/null || die 3 "needs $tool (Debian: apt-get install $tool)"

umask 077 # other students' results are nobody's business
mkdir -p "$out/students" "$out/logs" 2>/dev/null || bad_usage "cannot make the folder '$out'"
out=$(realpath "$out")
CLASS_SUBMISSIONS=$(realpath "$submissions")
CLASS_HIDDEN=${hidden:+$(realpath "$hidden")}
CLASS_OUT=$out CLASS_LAB=$lab CLASS_IDS=$out/logs/todo.$$ CLASS_FOLDER=$here
CLASS_RUN=$$.$(date +%s%N)
LABS_GRADE=$(realpath "${LABS_GRADE:-$here/../grade}")
rules=$here/../lab$lab.json
export CLASS_SUBMISSIONS CLASS_HIDDEN CLASS_OUT CLASS_LAB CLASS_IDS CLASS_FOLDER CLASS_RUN
export LABS_GRADE
exec {lock}>"$out/lock"
flock -n "$lock" || die 1 "another run grades into '$out'"
# All students have the same random tests, which nobody knows before.
[[ -s $out/seed ]] || od -An -N7 -tu8 /dev/urandom | tr -d ' ' >"$out/seed"
CLASS_SEED=$(<"$out/seed")
export CLASS_SEED

export LABS_CLASS=$here/labs_class
"$LABS_CLASS" ids "$roster" >"$out/ids" || exit 2

# A mistake in the rules is found before anybody is graded by them.
[[ ! -f $rules ]] || "$LABS_GRADE" check-rules "$rules" ${CLASS_HIDDEN:+--hidden "$CLASS_HIDDEN"}

# With GNU parallel: a task starts only while there is memory for another worker.
local_phase() {
    local at_once=$jobs
    [[ $1 == tests ]] || at_once=1
    parallel --will-cite -j "$at_once" --memfree 1G --joblog "$out/logs/$1.tsv" \
        "$here/task.sh" "$1" {} {lock}>&- <"$CLASS_IDS"
}

# As one job array. Tasks that an interrupted run left in the queue are cancelled first.
slurm_phase() {
    local options=() name job
    name=labs-$(sha256sum <<<"$out" | head -c 12)
    [[ $1 == tests ]] || options+=(--exclusive)
    scancel --name "$name" 2>/dev/null || true
    # shellcheck disable=SC2086 # LABS_SBATCH has several options
    sbatch --wait --quiet --job-name "$name" --array "0-$(($(wc -l <"$CLASS_IDS") - 1))" \
        --cpus-per-task 2 --output "$out/logs/%A_%a.log" "${options[@]}" ${LABS_SBATCH:-} \
        "$here/task.slurm" "$1" {lock}>&- &
    job=$!
    # shellcheck disable=SC2064 # the name of now
    trap "scancel --name $name; exit 143" INT TERM
    wait "$job"
}

# $CLASS_IDS has the ids of this run: tasks of an interrupted one, which has another file, may still
# run. What a lost machine left undone is done again, once.
phase() {
    for _ in 1 2; do
        "$here/task.sh" "$1" --todo <"$out/ids" >"$CLASS_IDS"
        [[ -s $CLASS_IDS ]] || return 0
        printf '%s %s of %d submissions (%s)\n' "$(date +%T)" "$1" "$(wc -l <"$CLASS_IDS")" \
            "$scheduler"
        "${scheduler}_phase" "$1" || true
    done
}
phase tests
((speed == 0)) || phase speed
((similarity == 0)) || "$here/similarity.sh" || true
"$LABS_CLASS" merge "$roster" "$lab" "$CLASS_SUBMISSIONS" "$out"
