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
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."

die() { printf 'starter: %s\n' "$*" >&2 && exit 2; }
needs() { command -v "$1" >/dev/null || die "missing: $1; to install it: apt-get install $1"; }

# The files that git tracks in the clone of this script: what is not committed, such as hand-ins and
# grades, stays out.
list_files() {
    local said=$work/git
    needs git
    # In a hook, git's variables name another repository.
    # shellcheck disable=SC2046 # several names
    unset $(git rev-parse --local-env-vars)
    LC_ALL=C git ls-files -z --error-unmatch run_all.sh . >"$work/tracked" 2>"$said" && return
    if grep -q 'dubious ownership' "$said"; then
        die "git does not list the files of a clone that another user owns; to allow it:" \
            "git config --global --add safe.directory '$(sed -n "s/.* repository at '\(.*\)'.*/\1/p" "$said")'"
    fi
    die "only files that git tracks are handed out, and git lists none in '$PWD'" \
        "($(sed -n 's/^[a-z]*: //;1p' "$said")); run it in a clone of the repository"
}

# Prints the files that the manifests are applied to: neither grading/ nor labs that are not chosen.
wanted_files() {
    local file lab
    while IFS= read -r -d '' file; do
        lab=${file#@(reports|notebooks)/} lab=${lab%%/*} lab=${lab%.ipynb}
        [[ ! -e $file || $file == grading/* ]] && continue
        [[ -f $file && ! -L $file ]] || die "'$file' is not a plain file"
        [[ $lab != lab+([0-9])-* || " ${labs[*]} " == *" $lab "* ]] && printf '%s\0' "$file"
    done <"$work/tracked"
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

# No file but those that git tracks or a manifest adds.
refuse_others() {
    local found
    found=$(comm -z -13 <(sort -zu "$work/tracked" "$work/added") \
        <(cd "$tree" && find . ! -type d -printf '%P\0' | sort -z) | tr '\0' ' ')
    [[ -z $found ]] || die "neither tracked by git nor added by a manifest: $found"
}

# No solution under another name.
refuse_solutions() {
    local file found
    while IFS= read -r -d '' file; do
        [[ $file == @(grading/key|lab*/ladder|lab*/expert|lab*/experiments)/* && -s $file ]] || continue
        cmp -s "$file" "$tree/$file" || printf '%s\0' "$file"
    done <"$work/tracked" | xargs -0r sha256sum | cut -c 1-64 >"$work/solutions"
    found=$(cd "$tree" && find . -type f -exec sha256sum {} + | grep -F -f "$work/solutions") || return 0
    found=${found%%$'\n'*}
    die "the file of a solution under another name: ${found#*  ./}"
}

# apply MANIFEST FOLDER OVERLAY: a line that has no effect is an error, so that manifests stay true.
apply() {
    local manifest=$1 folder=$2 overlay=$3 word path matches to
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
                to=$folder/$path
                mkdir -p "$(dirname "$to")"
                printf '%s\0' "${to#"$tree"/}" >>"$work/added"
                cp "$overlay/$path" "$to" ;;
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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
list_files
needs jq
needs perl
[[ -z $(ls -A "$goal" 2>/dev/null) ]] || die "the folder '$goal' is not empty"
tree=$work/tree
mkdir -p "$tree/grading"
: >"$work/added"

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
refuse_others
refuse_solutions
mkdir -p "$goal" 2>/dev/null || die "cannot make the folder '$goal'"
cp -r "$tree/." "$goal" || die "could not write all of it; '$goal' is incomplete"
echo "${labs[*]}: $(find "$goal" -type f | wc -l) files in $goal"
