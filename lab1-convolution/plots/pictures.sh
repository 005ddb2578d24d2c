#!/usr/bin/env bash
#
# Pictures before and after every built-in filter, and all of them on one sheet:
#
#     lab1-convolution/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/FILTER.png for each filter and OUT_DIR/before-after.jpg.

set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../../harness/plots/pictures.sh
source "$(dirname "$0")/../../harness/plots/pictures.sh"

# `identity` comes first: it returns its input, and so is the picture before.
filters=(identity edge4 edge8 sharpen box3 box5 gauss3 gauss5 unsharp5)
width=480
height=270

for filter in "${filters[@]}"; do
    make_picture "$filter.png" "scene:landscape:${width}x${height}" --filter "$filter"
done
make_sheet "$width" "$height" "${filters[@]}"
# The sheet is a picture like any other: the lab itself makes the smaller JPEG of it.
make_picture before-after.jpg "$out_dir/before-after.png" --filter identity
rm "$out_dir/before-after.png"
