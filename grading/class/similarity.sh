#!/usr/bin/env bash
# Compares the submissions with each other, with Dolos or JPlag (LABS_JPLAG: its .jar) where they
# are installed, and otherwise with sim_c++ (Debian: similarity-tester). The given files are the
# base: what everybody has from there does not count. Writes OUT/similarity.txt. class.sh sets the
# environment.
set -euo pipefail
files=$CLASS_OUT/similarity
given=$CLASS_FOLDER/../starter/lab$CLASS_LAB

# tokens FROM TO: the text of a file after the preprocessor. It expands the file's own macros, also
# empty ones, and drops comments. It must read no other file, so words by which directives name one
# are taken out first, wherever comments and continued lines put them. What it says of a file with
# mistakes counts as far as it goes.
tokens() {
    sed -E -e ':a' -e '/(\\|\?\?\/)[[:space:]]*$/{N;s/(\\|\?\?\/)[[:space:]]*\n//;ba' -e '}' \
        -e '/^[[:space:]]*#[[:space:]]*(include|pragma)/d' \
        -e 's/\b(include|include_next|import|embed|pragma|_Pragma)\b/_/g' "$1" >"$2.in"
    (
        ulimit -t 5 -v 1000000 -f 8192
        timeout 20 "${CXX:-g++}" -E -P -nostdinc -undef -x c++ -std=c++20 -w - || true
    ) <"$2.in" >"$2" 2>/dev/null
    [[ -s $2 ]] || cp "$2.in" "$2"
    rm "$2.in"
}

# Files as the grader takes them: regular, of at most 256 KB, named as variants. One folder per
# student, with names that tell nothing to the tools.
rm -rf "$files" && mkdir -p "$files/students" "$files/base"
while read -r id; do
    mkdir "$files/students/$id"
    while IFS= read -r -d '' file; do
        tokens "$file" "$files/students/$id/${file##*/}"
    done < <(find "$CLASS_SUBMISSIONS/$id" -maxdepth 1 -type f -size -$((256 * 1024 + 1))c \
        -regextype posix-extended -regex '.*/([0-9]{1,3}_)?(omp|cuda)_[a-z0-9_]+\.(cpp|cu)' \
        -print0 2>/dev/null | sort -z | head -z -n 16)
done <"$CLASS_OUT/ids"
if [[ -d $given ]]; then
    while IFS= read -r -d '' file; do
        tokens "$file" "$files/base/${file##*/}"
    done < <(find "$given" -type f \( -name '*.cpp' -o -name '*.cu' \) -print0)
fi

# Statements of at least four characters that are in the given files are taken out of the others.
without_given() {
    local lines=$files/given
    [[ -d $files/base ]] || return 0
    cat "$files"/base/* 2>/dev/null | tr -s '[:space:]' ' ' | sed 's/[;{}]/\n/g' |
        sed 's/^ *//;s/ *$//' | sort -u >"$lines"
    find "$files/students" -type f -print0 | while IFS= read -r -d '' file; do
        tr -s '[:space:]' ' ' <"$file" | sed 's/[;{}]/&\n/g' |
            awk -v lines="$lines" '
                BEGIN { while ((getline line < lines) > 0) given[line] }
                { text = $0; sub(/[;{}]$/, "", text); gsub(/^ *| *$/, "", text)
                  if (length(text) < 4 || !(text in given)) print }' >"$file.rest"
        mv "$file.rest" "$file"
    done
}

with_dolos() { cd "$files" && dolos run -l cpp -f csv -o "$files/dolos" students/*/*; }
with_jplag() { java -jar "$LABS_JPLAG" -l cpp -r "$files/jplag" "$files/students"; }
# A line per pair of files of different students: how much of the first is in the second.
with_sim() {
    cd "$files"
    find students -type f | sort | sim_c++ -p -t 40 -w 200 -r 20 -i |
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
without_given
{ printf 'Compared with %s. A person decides what a similarity means.\n' "$tool" &&
    "with_$tool"; } >"$report.new" 2>"$CLASS_OUT/logs/similarity.log" && mv "$report.new" "$report"
