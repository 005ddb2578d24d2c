#!/usr/bin/env bash
# draw_figures.sh LAB CSV_DIR OUT_DIR: runs each of the lab's gnuplot scripts whose data there are,
# from the repository's root. Prints how many; fails, naming them, if some failed.
set -euo pipefail
shopt -s nullglob

lab=$1 csv=$2 out=$3 drawn=0 bad=()
mkdir -p "$out"
for script in "$lab"/plots/*.gp; do
    name=$(basename "$script" .gp)
    [[ -e $csv/$name.csv && $(wc -l <"$csv/$name.csv") -gt 1 ]] || continue
    if gnuplot -c "$script" "$csv" "$out" >&2; then ((++drawn)); else bad+=("$name"); fi
done
echo "gnuplot scripts run: $drawn${bad[*]:+, FAILED: ${bad[*]}}"
[[ -z ${bad[*]} ]]
