#!/usr/bin/env bash
#
# Pictures and their histograms before and after equalization, all of them on one sheet, and the
# histograms of one of them as a figure:
#
#     lab4-histogram-eq/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes for each scene OUT_DIR/SCENE-before.png and OUT_DIR/SCENE-after.png, and
# OUT_DIR/before-after.png and OUT_DIR/histograms.svg (and .pdf).

set -euo pipefail

# The eight pictures of the experiment `images` are of these scenes, two of which it has twice.
scenes=(low-contrast dark-interior foggy overexposed underexposed landscape)
figure_of=low-contrast
width=256   # a level of the histograms is a pixel wide
height=160

if (($# != 2)); then
    echo "usage: $0 EXECUTABLE OUT_DIR" >&2
    exit 2
fi
executable=$1
out_dir=$2

mkdir -p "$out_dir"
for scene in "${scenes[@]}"; do
    "$executable" run "scene:$scene:${width}x${height}" --save-input "$out_dir/$scene-before.png" \
        --output "$out_dir/$scene-after.png" >/dev/null
done
plots=$(dirname "$0")
gnuplot -c "$plots/pictures.gp" "$out_dir" "$width" "$height" "${scenes[*]}"
gnuplot -c "$plots/histograms.gp" "$out_dir" "$figure_of"
