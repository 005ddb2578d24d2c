#!/usr/bin/env bash
#
# A scene before and after upscaling, whole and a cut of it enlarged, on one sheet, and cuts of four
# scenes before and after on another:
#
#     lab3-gaussian-upscale/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/NAME.png for each way to upscale, OUT_DIR/before-after.png and
# OUT_DIR/before-after-pairs.png.

set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../../harness/plots/pictures.sh
source "$(dirname "$0")/../../harness/plots/pictures.sh"

# So narrow a Gaussian has all its weight on the nearest pixel. It gives the input itself, each
# pixel four times, and so is the picture before.
declare -A options=([before]="--method gauss --sigma 0.05"
    [Gaussian]="--method gauss" [bicubic]="--method bicubic")
names=(before Gaussian bicubic)
width=320
height=180

for name in "${names[@]}"; do
    read -ra more <<<"${options[$name]}"
    make_picture "$name.png" "scene:landscape:${width}x${height}" "${more[@]}"
done
make_sheet $((2 * width)) $((2 * height)) "${names[@]}"

# Four scenes of the size of the report's smallest pair, and where their cuts begin in the output.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sheet=$out_dir
out_dir=$scratch # where make_picture puts them
cuts=(landscape:372:880 foggy:700:550 overexposed:540:960 checker:700:500)
for cut in "${cuts[@]}"; do
    scene=${cut%%:*}
    for when in before after; do
        read -ra more <<<"${options[${when/after/Gaussian}]}"
        make_picture "$scene-$when.png" "scene:$scene:1000x700" "${more[@]}"
    done
done
gnuplot -c "$(dirname "$0")/pairs.gp" "$sheet" "$scratch" 2000 1400 "${cuts[*]}"
