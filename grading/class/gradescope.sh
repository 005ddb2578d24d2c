#!/usr/bin/env bash
# grade gradescope: writes the zip file of an autograder, by Gradescope's specification
# (https://gradescope-autograders.readthedocs.io/en/latest/specs/): setup.sh and run_autograder are
# at its root, beside this repository.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

usage() {
    cat <<'END'
usage: grade gradescope AUTOGRADER.zip --lab N [--hidden FOLDER]

Upload the file as the autograder of an assignment; choose an image of Ubuntu 24.04 or later. The
container needs 2 cores and 6 GB. The hidden tests are in the file: a submission cannot read it.
Exit code: 0 written, 2 bad usage, 3 a tool is missing.
END
}
die() { printf 'grade gradescope: %s\n' "$2" >&2 && exit "$1"; }

zip='' lab='' hidden=''
while (($#)); do
    case $1 in
        --lab | --hidden)
            (($# > 1)) || die 2 "$1 needs a value"
            declare "${1#--}=$2" && shift 2
            ;;
        -h | --help) usage && exit 0 ;;
        -*) die 2 "there is no option $1" ;;
        *)
            [[ -z $zip ]] || die 2 "one zip file, not '$zip' and '$1'"
            zip=$1 && shift
            ;;
    esac
done
[[ $zip == *.zip ]] || die 2 "needs the name of a zip file; see --help"
[[ $lab =~ ^[1-9]$ ]] || die 2 "--lab needs the number of a lab, not '$lab'"
[[ -z $hidden || -d $hidden ]] || die 2 "there is no folder '$hidden'"
command -v zip >/dev/null || die 3 "needs zip (Debian: apt-get install zip)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/labs"
if git -C "$root" rev-parse >/dev/null 2>&1; then
    (cd "$root" && git ls-files -co --exclude-standard -z -- . ':!reports' ':!.ci' |
        xargs -0 cp -p --parents -t "$work/labs")
else
    tar -C "$root" -c --exclude='./build*' --exclude=./results --exclude=./reports . |
        tar -x -C "$work/labs"
fi
[[ -z $hidden ]] || cp -r "$hidden" "$work/hidden"
cp "$here/gradescope/"{setup.sh,run_autograder} "$work/"
echo "$lab" >"$work/lab"
chmod +x "$work/setup.sh" "$work/run_autograder"
target=$(realpath -m "$zip")
mkdir -p "$(dirname "$target")"
(cd "$work" && zip -q -r new.zip . -x new.zip) && mv "$work/new.zip" "$target"
