#!/usr/bin/env bash
# task.sh tests|speed ID: grades one student, unless the results of the same files and rules are
# there: without times, or all of it. The results are put in place by a rename, whole or not at all.
# task.sh tests|speed --todo: reads ids, and prints those that would be graded.
# class.sh sets the environment.
set -euo pipefail
part=$1

# Of the rules and hidden tests, of the names of all files, and of the contents of those that can be
# variants.
fingerprint() {
    {
        echo "$CLASS_LAB $part tested.json" # results without this file are made again
        [[ ! -f $CLASS_FOLDER/../lab$CLASS_LAB.json ]] ||
            sha256sum <"$CLASS_FOLDER/../lab$CLASS_LAB.json"
        cat "$CLASS_FOLDER/../key/lab$CLASS_LAB/answers.txt" 2>/dev/null || true
        find "$1" -mindepth 1 -maxdepth 1 -printf '%f %y %s\0' | sort -z
        (cd "$1" && find . -maxdepth 1 -type f -size -300k -print0 | sort -z | xargs -0r sha256sum)
        [[ -z $CLASS_HIDDEN ]] ||
            (cd "$CLASS_HIDDEN" && find . -type f -print0 | sort -z | xargs -0r sha256sum)
    } | sha256sum
}

# to_do ID: sets what belongs to the student; fails if there is nothing to grade. An old result of
# `speed` goes with the verdict that it was measured for.
to_do() {
    submission=$CLASS_SUBMISSIONS/$1 folder=$CLASS_OUT/students/$1
    [[ -d $submission && ! -L $submission ]] || return
    if [[ $part == speed ]] && ! "$LABS_CLASS" timed "$folder"; then
        rm -rf "$folder/speed"
        return 1
    fi
    print=$(fingerprint "$submission")
    [[ $print != "$(cat "$folder/$part/fingerprint" 2>/dev/null)" ]]
}

if [[ $2 == --todo ]]; then
    while read -r id; do ! to_do "$id" || echo "$id"; done
    exit 0
fi

id=${2:?needs an id}
mkdir -p "$CLASS_OUT/students/$id"
exec 9>"$CLASS_OUT/students/$id/lock" # a task may still run on a machine that was given up
flock 9
to_do "$id" || exit 0
parts=(--part tests)
[[ $part == tests ]] || parts=(--part speed --tested "$folder/tests")
new=$folder/.$part log=$folder/$part.log
rm -rf "$new" "${folder:?}/$part"
status=0
"$LABS_GRADE" check "$submission" --lab "$CLASS_LAB" --out "$new" "${parts[@]}" \
    --class-seed "$CLASS_SEED" \
    ${CLASS_HIDDEN:+--hidden "$CLASS_HIDDEN"} >"$log" 2>&1 </dev/null 9>&- || status=$?
if ((status != 0)) || [[ ! -f $new/results.json ]]; then
    echo "$id: $part failed, exit code $status: $(tail -n 1 "$log")" >&2
    exit 1
fi
echo "$print" >"$new/fingerprint"
rm -rf "${folder:?}/$part"
mv -T "$new" "$folder/$part"
