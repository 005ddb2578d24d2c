#!/usr/bin/env bash
# Fails if `./run_all.sh figures` changes, adds or removes any file, or if a table or figure is on no
# page, and prints the names. It draws in a copy of the tree.
set -uo pipefail # not -e: all stale files are to be named
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$tree" || exit 2
log=$(cd "$tree" && ./run_all.sh figures 2>&1) || { printf '%s\n' "$log" && exit 1; }

# Another version of gnuplot draws the same data in other words.
program() { grep -om1 'Produced by [^<]*[^< ]' "$1"; }
list() { find . -type f ! -path './build*' -printf '%P\n'; }
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

# A page shows a table between its marks, and a figure by a link, as seen from the page's folder.
lost=0
while IFS= read -r file; do
    grep -qsF -e "(${file#reports/*/})" -e "begin: $file " "${file%/*/*}"/*.md && continue
    ((++lost)) && echo "on no page: $file"
done < <(cd "$tree" && find reports/*/*/ \( -name '*.md' -o -name '*.svg' \) | sed 's|//|/|' | sort)
echo "$lost tables and figures on no page"

# Links of the HTML pages lead to files, none to raw Markdown; reports/index.html shows all figures.
wrong=0
while IFS=: read -r page link; do
    [[ $link =~ ^[a-z]+: ]] && continue
    [[ -e $(dirname "$page")/$link && $link != *.md ]] || { ((++wrong)) && echo "$page: link to $link"; }
done < <(grep -roP --include='*.html' '(href|src)="\K[^"#]+' reports | sort -u)
for file in reports/*/*/*.svg; do
    [[ $file == reports/pages/* ]] || grep -qF "src=\"${file#reports/}\"" reports/index.html ||
        { ((++wrong)) && echo "reports/index.html: $file is not on it"; }
done
((stale == 0 && lost == 0 && wrong == 0))
