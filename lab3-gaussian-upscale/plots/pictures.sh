#!/usr/bin/env bash
#
# A scene before and after upscaling, whole and a cut of it enlarged, on one sheet:
#
#     lab3-gaussian-upscale/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/NAME.png for each way to upscale and OUT_DIR/before-after.png.

set -euo pipefail

# So narrow a Gaussian has all its weight on the nearest pixel. It gives the input itself, each
# pixel four times, and so is the picture before.
declare -A options=([before]="--method gauss --sigma 0.05"
    [Gaussian]="--method gauss" [bicubic]="--method bicubic")
names=(before Gaussian bicubic)
width=320
height=180

if (($# != 2)); then
    echo "usage: $0 EXECUTABLE OUT_DIR" >&2
    exit 2
fi
executable=$1
out_dir=$2

mkdir -p "$out_dir"
for name in "${names[@]}"; do
    read -ra more <<<"${options[$name]}"
    "$executable" run "scene:landscape:${width}x${height}" "${more[@]}" \
        --output "$out_dir/$name.png" >/dev/null
done
gnuplot -c "$(dirname "$0")/pictures.gp" "$out_dir" $((2 * width)) $((2 * height)) "${names[*]}"
