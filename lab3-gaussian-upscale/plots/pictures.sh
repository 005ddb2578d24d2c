#!/usr/bin/env bash
#
# A scene before and after upscaling, whole and a cut of it enlarged, on one sheet:
#
#     lab3-gaussian-upscale/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/NAME.png for each way to upscale and OUT_DIR/before-after.png.

set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../../common/plots/pictures.sh
source "$(dirname "$0")/../../common/plots/pictures.sh"

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
