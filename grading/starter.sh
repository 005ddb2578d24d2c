#!/usr/bin/env bash
# starter.sh DIR LAB...: writes the tree for students, with the given labs, to DIR. It is this tree
# without what the manifests in grading/starter/ remove, and with stubs for the files of the tasks.
# A line of a manifest is one of
#
#     remove GLOB      these files or folders, relative to the manifest's folder in the tree
#     stub PATH        the file from the overlay replaces the solution
#     add PATH         the file is in the overlay only
#     part PATH        C++: what `unifdef -DLABS_STARTER` leaves; Markdown: without the lines from
#                      <!-- begin solution --> to <!-- end solution -->, and without the items of
#                      lists that begin with **Here**, which name solutions
#     give-away REGEX  matches no line of any file in DIR (grep -E), but for the folders of other labs
#
# labN.manifest is about the lab's folder and has the overlay grading/starter/labN/; root.manifest
# is about the whole tree and has the overlay grading/starter/root/.
set -euo pipefail
shopt -s nullglob globstar extglob dotglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() { printf 'starter: %s\n' "$*" >&2 && exit 2; }
needs() { command -v "$1" >/dev/null || die "missing: $1; to install it: apt-get install $1"; }

# A clone lists its files: what is not committed, such as hand-ins and grades, stays out.
list_files() {
    if [[ $(git rev-parse --show-toplevel 2>/dev/null) == "$PWD" ]]; then
        git ls-files
    else
        find . -type f ! -path './build*' ! -path './results/*' -printf '%P\n'
    fi
}

# Prints the files that the manifests are applied to: neither grading/ nor labs that are not chosen.
wanted_files() {
    local file lab
    while read -r file; do
        lab=${file#@(reports|notebooks)/} lab=${lab%%/*} lab=${lab%.ipynb}
        [[ ! -e $file || $file == grading/* ]] && continue
        [[ $lab != lab+([0-9])-* || " ${labs[*]} " == *" $lab "* ]] && printf '%s\0' "$file"
    done < <(list_files)
    return 0
}

leave_out_part() {
    local file=$1 begin='^<!-- begin solution -->$' end='^<!-- end solution -->$'
    if [[ $file == *.md ]]; then
        [[ $(grep -c "$begin" "$file") == $(grep -c "$end" "$file") ]] ||
            die "$file: not every 'begin solution' has its 'end solution'"
        sed "/$begin/,/$end/d" "$file" |
            awk '/^- /{here = /^- \*\*Here\*\*/} /^$/{here = 0} !here' >"$work/part"
    else
        needs unifdef
        unifdef -DLABS_STARTER "$file" >"$work/part" || (($? == 1)) || die "$file: unifdef failed"
    fi
    ! cmp -s "$file" "$work/part" || die "$file: nothing in it is marked as a part"
    cat "$work/part" >"$file"
}

# refuse_later REGEX FOLDER: no file in FOLDER may match, nor one that belongs to no lab.
refuse_later() { give_aways+=("$1") && places+=("$2"); }

refuse_give_aways() {
    local i found
    for ((i = 0; i < ${#give_aways[@]}; ++i)); do
        found=$(cd "$tree" && grep -rnIE --exclude-dir='lab[0-9]*-*' -- "${give_aways[i]}" . ||
            grep -rnIE -- "${give_aways[i]}" "${places[i]}" || true)
        [[ -z $found ]] || die "gives a solution away (${give_aways[i]}): ${found%%$'\n'*}"
    done
}

# apply MANIFEST FOLDER OVERLAY: a line that has no effect is an error, so that manifests stay true.
apply() {
    local manifest=$1 folder=$2 overlay=$3 word path matches
    while read -r word path; do
        case $word in
            '' | '#'*) continue ;;
            give-away) refuse_later "$path" "$folder" && continue ;;
            stub | add)
                [[ -f $overlay/$path ]] || die "$manifest: there is no $overlay/$path"
                [[ $word == stub || ! -e $folder/$path ]] ||
                    die "$manifest: add $path: the file is there; use 'stub'" ;;&
            stub | part) [[ -f $folder/$path ]] || die "$manifest: $word $path: no such file" ;;&
            stub | add)
                mkdir -p "$(dirname "$folder/$path")"
                cp "$overlay/$path" "$folder/$path" ;;
            part) leave_out_part "$folder/$path" ;;
            remove)
                # shellcheck disable=SC2206 # a pattern
                matches=("$folder"/$path)
                [[ -e ${matches[0]:-} ]] ||
                    die "$manifest: remove $path: no such file"
                rm -r "${matches[@]}" ;;
            *) die "$manifest: unknown word '$word'" ;;
        esac
    done <"$manifest"
}

# Links to what is not in the tree become plain text; pictures go.
unlink_missing() {
    local page
    for page in "$tree"/**/*.md; do
        (cd "$(dirname "$page")" && perl -0777 -i -pe '
            s{(!?)\[([^\]]*)\]\(([^)\#\s]*[./][^)\#\s]*)(\#[^)]*)?\)}
             {my ($all, $picture, $text, $to) = ($&, $1, $2, $3);
              -e $to || $to =~ /^\w+:/ ? $all : $picture ? "" : $text}gex' "${page##*/}")
    done
}

goal=$(realpath -m "$1")
shift
labs=("$@") give_aways=() places=()
needs jq
needs perl
mkdir -p "$goal" 2>/dev/null || die "cannot make the folder '$goal'"
[[ -z $(ls -A "$goal") ]] || die "the folder '$goal' is not empty"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree/grading"

wanted_files | xargs -0 cp -p --parents -t "$tree"
for lab in "${labs[@]}"; do
    number=${lab%%-*}
    [[ -e grading/starter/$number.manifest ]] ||
        die "there is no grading/starter/$number.manifest, so $lab cannot be handed out"
    apply "grading/starter/$number.manifest" "$tree/$lab" "grading/starter/$number"
    # The tests that students see, and no right answers.
    jq 'del(.tasks[].tests[]? | select(.visible == false))' "grading/$number.json" \
        >"$tree/grading/$number.json"
done
apply grading/starter/root.manifest "$tree" grading/starter/root
for file in lab*/CMakeLists.txt; do # rows of tables
    [[ -e $tree/$file ]] || sed -i "/^|.*(${file%/*}\//d" "$tree/README.md"
done
unlink_missing
find "$tree" -type d -empty -delete
refuse_give_aways
cp -r "$tree/." "$goal"
echo "${labs[*]}: $(find "$goal" -type f | wc -l) files in $goal"
