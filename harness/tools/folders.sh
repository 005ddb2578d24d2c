# shellcheck shell=bash disable=SC2154
# The folders that run_all.sh writes to, from the root of the tree. It empties parts of the output
# folder, so a folder that it did not make or find empty is refused: its marker tells.

holds() { [[ $2/ == "${1%/}/"* ]]; } # FOLDER OTHER: OTHER is FOLDER or in it
is_empty() { [[ -z $(ls -A "$1" 2>/dev/null) ]]; }

# in_source FOLDER: it is the root, or in a folder of the root that has files, but for results and
# builds.
in_source() {
    local top=${1#"$PWD"/}
    [[ $1 != "$PWD" ]] || return 0
    holds "$PWD" "$1" || return
    top=${top%%/*}
    [[ $top != results && $top != build* ]] && ! is_empty "$top" &&
        [[ -z $(compgen -G "$top/.labs-*") ]]
}

# check_folder OPTION FOLDER MARKER SIGN: that this run may use FOLDER. SIGN is a file that earlier
# editions left in theirs.
check_folder() {
    local option=$1 folder=$2 marker=$2/$3 sign=$2/$4 part
    if [[ ! -e $marker ]]; then
        if holds "$folder" "$PWD" || in_source "$folder"; then
            die "$option: '$folder' is, contains or lies in a folder of the source; name another one"
        fi
        is_empty "$folder" || [[ $folder == "$PWD"/@(results|build-all) || -e $sign ]] ||
            die "$option: '$folder' is not empty and was not made by run_all.sh; name another folder"
    fi
    for part in "$folder"/{harness,one-variant,lab*}; do
        [[ ! -L $part ]] || die "$option: '$part' is a symbolic link; remove it or name another folder"
    done
}

# lock_folder OPTION FOLDER MARKER: until run_all.sh and what it started end. The marker has its
# process id.
lock_folder() {
    local marker=$2/$3 lock code=0
    { mkdir -p "$2" && exec {lock}>>"$marker"; } 2>/dev/null || die "$1: cannot write in '$2'"
    flock -n -E 75 "$lock" || code=$?
    ((code != 75)) || die "another run_all.sh (pid $(<"$marker")) uses '$2'"
    echo $$ >"$marker" || die "$1: cannot write in '$2'"
}

# use_page_folder FOLDER: for --report; only a page of run_all.sh is replaced.
use_page_folder() {
    local page=$1/index.html
    if [[ -e $page ]]; then
        grep -qs 'The measurements are in the CSV files of the output folder' "$page" ||
            die "--report: '$page' is not a page of run_all.sh; name another folder"
    elif [[ $1 != "$build" && $1 != "$output" ]] && in_source "$1"; then
        die "--report: '$1' is or lies in a folder of the source; name another one"
    fi
    # Only a try tells whether a file can be written.
    { mkdir -p "$1" && rm "$(mktemp -p "$1")" && [[ ! -d $page ]]; } 2>/dev/null ||
        die "--report: cannot write '$page'"
}
