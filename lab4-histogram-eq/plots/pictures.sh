#!/usr/bin/env bash
#
# The eight pictures of the experiment `images` and their histograms before and after equalization,
# all of them on one sheet, and the histograms of the first as a figure:
#
#     lab4-histogram-eq/plots/pictures.sh EXECUTABLE OUT_DIR
#
# writes OUT_DIR/before-after.png, OUT_DIR/histograms.svg, and the first picture as
# OUT_DIR/low-contrast-before.png and -after.png. The larger ones, of up to 12 megapixels, are on
# the sheet only, where every n-th of their pixels is shown.

set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../../harness/plots/pictures.sh
source "$(dirname "$0")/../../harness/plots/pictures.sh"

# Label and size in the original report (004), and the scene that plays the picture.
pictures=(lc:256x256:low-contrast di:1344x768:dark-interior f:1280x813:foggy o:608x406:overexposed
    u:1024x683:underexposed o:3680x2760:overexposed u:3680x2760:underexposed hr:3072x4096:landscape)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sheet=$(realpath "$out_dir") executable=$(realpath "$executable")
out_dir=$scratch # where make_picture puts them
pids=()
for picture in "${pictures[@]}"; do
    IFS=: read -r label size scene <<<"$picture"
    make_picture "$label-$size-after.png" "scene:$scene:$size" \
        --save-input "$out_dir/$label-$size-before.png" &
    pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
for when in before after; do
    cp "$scratch/lc-256x256-$when.png" "$sheet/low-contrast-$when.png"
done

# levels PNG STEP: the counts of the levels, of every n-th pixel where a picture is larger than a cell
# of the sheet: a mean of n x n pixels would have levels that the picture has not.
levels() {
    gnuplot -e "set table; plot '$1' binary filetype=png every $2:$2 using 1 with image" |
        awk -v png="$1" 'NF >= 3 && !/^#/ { ++count[int($3)] }
            END { for (level in count) print png "," level "," count[level] }' >"$1.levels"
}
cell=256 pids=()
lab=$(realpath "$(dirname "$0")") plots=$(realpath "$(dirname "$0")/../../harness/plots")
cd "$scratch"
for picture in "${pictures[@]}"; do
    IFS=: read -r label size scene <<<"$picture"
    IFS=x read -r width height <<<"$size"
    step=$((((width > height ? width : height) + cell - 1) / cell))
    for when in before after; do
        echo "$label,$width,$height,$scene,$when,$step,$label-$size-$when.png" >>pictures.csv
        levels "$label-$size-$when.png" "$step" &
        pids+=($!)
    done
done
for pid in "${pids[@]}"; do wait "$pid"; done
cat ./*.levels >levels.csv
sqlite3 -bail :memory: <"$lab/pictures.sql"
gnuplot -e "PLOTS = '$plots'; OUT_DIR = '.'" "$plots/sheet.gp" settings.gp "$lab/pictures.gp"
gnuplot -e "PLOTS = '$plots'" "$plots/style.gp" "$lab/histograms.gp"
"$plots/finish.sh" histograms.svg
mv before-after.png histograms.svg "$sheet/"
