#!/usr/bin/env bash
# Fails if `./run_all.sh figures` changes, adds or removes any file, and prints the names; if a link of
# the site leads nowhere; or if a figure's script draws another figure. It draws in a copy of the tree.
set -uo pipefail # not -e: all stale files are to be named
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$tree" || exit 2
log=$(cd "$tree" && ./run_all.sh figures 2>&1) || { printf '%s\n' "$log" && exit 1; }

# Another version of gnuplot draws the same data in other words.
program() { grep -om1 'Produced by [^<]*[^< ]' "$1"; }
list() { find . -type f ! -path './build*' ! -path './site/*' ! -name '*.pyc' -printf '%P\n'; }
compared=0 stale=0 others=0
while IFS= read -r file; do
    if [[ $file == *.svg && -e $file && -e $tree/$file &&
        $(program "$file") != $(program "$tree/$file") ]]; then
        ((++others))
    elif ((++compared)) && ! cmp -s "$tree/$file" "$file"; then
        ((++stale)) && echo "stale: $file"
    fi
done < <({ (cd "$tree" && list) && git ls-files -co --exclude-standard; } |
    sort -u)

echo "$compared files compared, $stale stale" \
    "($others figures left out: drawn by another gnuplot)"
((stale == 0)) || echo "To bring them up to date: ./run_all.sh figures"

cd "$tree/site" || exit 2
followed=0 wrong=0
while IFS=: read -r page link; do
    [[ $link =~ ^[a-z]+: ]] && continue
    ((++followed))
    [[ -e $(dirname "$page")/$link && $link != *.md ]] || { ((++wrong)) && echo "$page: link to $link"; }
done < <(grep -roP --include='*.html' '(href|src)="\K[^"#]+' . | sort -u)

# A figure of each folder, by its script alone: the same but for the style of dark pages.
drawn=0
for folder in reports/*/*/; do
    script=$(find "$folder" -name '*.gp' | sort | tail -n 1)
    [[ $script ]] || continue
    ((++drawn))
    mv "${script%.gp}.svg" before.svg
    (cd "$folder" && SOURCE_DATE_EPOCH=0 gnuplot "${script##*/}")
    diff before.svg "${script%.gp}.svg" | grep -q '^>' || [[ ! -e ${script%.gp}.svg ]] &&
        { ((++wrong)) && echo "$script draws another figure"; }
done
echo "the site: $followed links, $drawn figures by their scripts, $wrong wrong"
((stale == 0 && wrong == 0 && drawn > 0))
