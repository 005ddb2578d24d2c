#!/usr/bin/env bash
# Compares the submissions with each other, with Dolos or JPlag (LABS_JPLAG: its .jar) where they
# are installed, and otherwise with sim_c++ (Debian: similarity-tester). The starter's files are the
# base: what everybody has from there does not count. Writes OUT/similarity.txt. class.sh sets the
# environment.
set -euo pipefail
files=$CLASS_OUT/similarity
starter=$CLASS_FOLDER/../starter/lab$CLASS_LAB

# Files as the grader takes them: regular, small, named as variants. One folder per student.
rm -rf "$files" && mkdir -p "$files/students" "$files/base"
while read -r id; do
    mkdir "$files/students/$id"
    find "$CLASS_SUBMISSIONS/$id" -maxdepth 1 -type f -size -256k -regextype posix-extended \
        -regex '.*/([0-9]+_)?(omp|cuda)_[a-z0-9_]+\.(cpp|cu)' \
        -exec cp -t "$files/students/$id" {} + 2>/dev/null || true
done <"$CLASS_OUT/ids"
[[ ! -d $starter ]] || find "$starter" -type f \( -name '*.cpp' -o -name '*.cu' \) \
    -exec cp -t "$files/base" {} +

with_dolos() { cd "$files" && dolos run -l cpp -f csv -o "$files/dolos" students/*/*; }
with_jplag() {
    local base=()
    ! compgen -G "$files/base/*" >/dev/null || base=(--base-code "$files/base")
    java -jar "$LABS_JPLAG" -l cpp -r "$files/jplag" "${base[@]}" "$files/students"
}
# A line per pair of files of different students: how much of the first is in the second. Pairs with
# a file of the base are there too, and tell how much of a file is the starter's.
with_sim() {
    cd "$files"
    find students base -type f | sort | sim_c++ -p -t 40 -w 200 -i |
        awk '/consists for/ { split($1, a, "/"); split($7, b, "/"); if (a[2] != b[2]) print }' |
        sort -t ' ' -k 4 -n -r
}
tool='' report=$CLASS_OUT/similarity.txt
if command -v dolos >/dev/null; then
    tool=dolos
elif [[ -f ${LABS_JPLAG:-} ]]; then
    tool=jplag
elif command -v sim_c++ >/dev/null; then
    tool=sim
fi
[[ -n $tool ]] || { echo "no similarity: none of dolos, JPlag and sim_c++ is installed" && exit 0; }
{ printf 'Compared with %s. A person decides what a similarity means.\n' "$tool" &&
    "with_$tool"; } >"$report.new" 2>"$CLASS_OUT/logs/similarity.log" && mv "$report.new" "$report"
