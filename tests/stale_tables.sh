#!/usr/bin/env bash
# Fails, naming them, if tables or figures are not what `./run_all.sh figures` makes of the CSV
# files. It draws in a copy of the tree. PDFs are left out: they contain the fonts of the machine.
set -uo pipefail # not -e: all stale files are to be named
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$tree" || exit 2
log=$(cd "$tree" && ./run_all.sh figures 2>&1) || { printf '%s\n' "$log" && exit 1; }

# Another version of gnuplot draws the same data in other words.
program() { grep -om1 'Produced by [^<]*[^< ]' "$1"; }
compared=0 stale=0 others=0
while IFS= read -r -d '' file; do
    if [[ $file == *.svg && -e $file && $(program "$file") != $(program "$tree/$file") ]]; then
        ((++others))
    elif ((++compared)) && ! cmp -s "$tree/$file" "$file"; then
        ((++stale)) && echo "stale: $file"
    fi
done < <(cd "$tree" && find . \( -name '*.md' -o -name '*.svg' \) -printf '%P\0' | sort -z)

echo "$compared pages, tables and figures compared, $stale stale" \
    "($others figures left out: drawn by another gnuplot)"
((stale == 0)) || echo "To bring them up to date: ./run_all.sh figures"
((stale == 0))
