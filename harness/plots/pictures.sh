# shellcheck shell=bash
#
# The common part of the labs' pictures.sh. They source this file first and are called as
#
#     labN-name/plots/pictures.sh EXECUTABLE OUT_DIR

if (($# != 2)); then
    echo "usage: $0 EXECUTABLE OUT_DIR" >&2
    exit 2
fi
executable=$1
out_dir=$2
mkdir -p "$out_dir"

# make_picture FILE INPUT [OPTION...]: what the lab makes of INPUT, as OUT_DIR/FILE.
make_picture() {
    "$executable" run "$2" "${@:3}" --output "$out_dir/$1" >/dev/null
}

# make_sheet WIDTH HEIGHT NAME...: the pictures of those names on one sheet, as the lab's
# pictures.gp lays it out: OUT_DIR/before-after.png.
make_sheet() {
    gnuplot -c "$(dirname "$0")/pictures.gp" "$out_dir" "$1" "$2" "${*:3}"
}
