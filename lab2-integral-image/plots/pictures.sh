#!/usr/bin/env bash
#
# Integral images of three built-in inputs, side by side on one sheet:
#
#     lab2-integral-image/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/NAME.png for each input and OUT_DIR/before-after.png.

set -euo pipefail

inputs=(scene:landscape scene:checker random)
width=480
height=270

if (($# != 2)); then
    echo "usage: $0 EXECUTABLE OUT_DIR" >&2
    exit 2
fi
executable=$1
out_dir=$2

mkdir -p "$out_dir"
names=()
for input in "${inputs[@]}"; do
    name=${input#scene:}
    names+=("$name")
    "$executable" run "$input:${width}x${height}" --output "$out_dir/$name.png" >/dev/null
done
gnuplot -c "$(dirname "$0")/pictures.gp" "$out_dir" "$width" "$height" "${names[*]}"
