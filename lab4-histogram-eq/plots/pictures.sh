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
# shellcheck source-path=SCRIPTDIR source=../../common/plots/pictures.sh
source "$(dirname "$0")/../../common/plots/pictures.sh"

# The eight pictures of the experiment `images` are of these scenes, two of which it has twice.
scenes=(low-contrast dark-interior foggy overexposed underexposed landscape)
figure_of=low-contrast
width=256   # a level of the histograms is a pixel wide
height=160

for scene in "${scenes[@]}"; do
    make_picture "$scene-after.png" "scene:$scene:${width}x${height}" \
        --save-input "$out_dir/$scene-before.png"
done
make_sheet "$width" "$height" "${scenes[@]}"
gnuplot -c "$(dirname "$0")/histograms.gp" "$out_dir" "$figure_of"
