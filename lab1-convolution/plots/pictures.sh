#!/usr/bin/env bash
#
# Pictures before and after every built-in filter, and all of them on one sheet:
#
#     lab1-convolution/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/FILTER.png for each filter and OUT_DIR/before-after.jpg.

set -euo pipefail

# `identity` comes first: it returns its input, and so is the picture before.
filters=(identity edge4 edge8 sharpen box3 box5 gauss3 gauss5 unsharp5)
width=480
height=270

if (($# != 2)); then
    echo "usage: $0 EXECUTABLE OUT_DIR" >&2
    exit 2
fi
executable=$1
out_dir=$2

mkdir -p "$out_dir"
for filter in "${filters[@]}"; do
    "$executable" run "scene:landscape:${width}x${height}" --filter "$filter" \
        --output "$out_dir/$filter.png" >/dev/null
done
gnuplot -c "$(dirname "$0")/pictures.gp" "$out_dir" "$width" "$height" "${filters[*]}"
# The sheet is a picture like any other: the lab itself makes the smaller JPEG of it.
"$executable" run "$out_dir/before-after.png" --filter identity \
    --output "$out_dir/before-after.jpg" >/dev/null
rm "$out_dir/before-after.png"
