#!/usr/bin/env bash
#
# The eight pictures of the experiment `images` and their histograms before and after equalization,
# all of them on one sheet, and the histograms of the first as a figure:
#
#     lab4-histogram-eq/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/before-after.png, OUT_DIR/histograms.svg (and .pdf), and the first picture as
# OUT_DIR/low-contrast-before.png and -after.png. The larger ones, of up to 12 megapixels, are on
# the sheet only, where every n-th of their pixels is shown.

set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../../common/plots/pictures.sh
source "$(dirname "$0")/../../common/plots/pictures.sh"

# Label and size in the original report (004), and the scene that plays the picture.
pictures=(lc:256x256:low-contrast di:1344x768:dark-interior f:1280x813:foggy o:608x406:overexposed
    u:1024x683:underexposed o:3680x2760:overexposed u:3680x2760:underexposed hr:3072x4096:landscape)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sheet=$out_dir
out_dir=$scratch # where make_picture puts them
for picture in "${pictures[@]}"; do
    IFS=: read -r label size scene <<<"$picture"
    make_picture "$label-$size-after.png" "scene:$scene:$size" \
        --save-input "$out_dir/$label-$size-before.png"
done
for when in before after; do
    cp "$scratch/lc-256x256-$when.png" "$sheet/low-contrast-$when.png"
done
gnuplot -c "$(dirname "$0")/pictures.gp" "$sheet" "$scratch" "${pictures[*]}"
gnuplot -c "$(dirname "$0")/histograms.gp" "$sheet" low-contrast
