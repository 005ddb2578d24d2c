#!/usr/bin/env bash
#
# Integral images of three built-in inputs, side by side on one sheet:
#
#     lab2-integral-image/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/NAME.png for each input and OUT_DIR/before-after.png.

set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../../harness/plots/pictures.sh
source "$(dirname "$0")/../../harness/plots/pictures.sh"

inputs=(scene:landscape scene:checker random)
width=480
height=270

names=()
for input in "${inputs[@]}"; do
    name=${input#scene:}
    names+=("$name")
    make_picture "$name.png" "$input:${width}x${height}"
done
make_sheet "$width" "$height" "${names[@]}"
