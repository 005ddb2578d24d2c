#!/usr/bin/env bash
# task.sh tests|speed ID: grades one student, unless the results of the same files are there.
# class.sh sets the environment. The results are put in place by a rename, whole or not at all.
set -euo pipefail
part=$1 id=$2
submission=$CLASS_SUBMISSIONS/$id folder=$CLASS_OUT/students/$id
[[ -d $submission && ! -L $submission ]] || exit 0
mkdir -p "$folder"
exec 9>"$folder/lock" # two tasks of one student: one that a lost connection left, and its successor
flock 9

# Names of all files, and the contents of those that can be variants.
fingerprint() {
    echo "$CLASS_LAB $part"
    find "$submission" -mindepth 1 -maxdepth 1 -printf '%f %y %s\0' | sort -z
    find "$submission" -maxdepth 1 -type f -size -300k -print0 | sort -z | xargs -0r sha256sum
    [[ -z $CLASS_HIDDEN ]] || find "$CLASS_HIDDEN" -type f -print0 | sort -z | xargs -0r sha256sum
}
print=$(fingerprint | sha256sum)
# An older result of `tests` makes that of `speed` old too.
if [[ $part == speed ]]; then
    "$LABS_CLASS" timed "$folder" || { rm -rf "$folder/speed" && exit 0; }
fi
[[ $print != "$(cat "$folder/$part/fingerprint" 2>/dev/null)" ]] || exit 0

new=$folder/.$part
rm -rf "$new" "${folder:?}/$part"
status=0
"$LABS_GRADE" check "$submission" --lab "$CLASS_LAB" --out "$new" --part "$part" \
    ${CLASS_HIDDEN:+--hidden "$CLASS_HIDDEN"} >"$folder/$part.log" 2>&1 </dev/null 9>&- || status=$?
if ((status != 0)) || [[ ! -f $new/results.json ]]; then
    printf '%s: %s failed, exit code %d: %s\n' "$id" "$part" "$status" "$(tail -n 1 "$folder/$part.log")" >&2
    exit 1
fi
echo "$print" >"$new/fingerprint"
mv "$new" "$folder/$part"
