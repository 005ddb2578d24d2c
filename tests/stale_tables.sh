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

# All figures by their scripts alone, in a copy of the folder and in another locale: the same but
# for the style of dark pages.
localedef -i de_DE -f UTF-8 "$tree/de_DE.UTF-8" 2>/dev/null && export LOCPATH="$tree"
drawn=0
for folder in reports/*/*/; do
    copy="$tree/a copy"
    rm -rf "$copy"
    cp -r "$folder" "$copy" || exit 2
    for script in "$copy"/*.gp; do
        [[ -e $script ]] || continue
        figure=$(basename "$script" .gp)
        ((++drawn))
        rm "$copy/$figure.svg"
        (cd "$copy" && LC_ALL=de_DE.UTF-8 SOURCE_DATE_EPOCH=0 gnuplot "$figure.gp")
        if [[ ! -e $copy/$figure.svg ]] ||
            diff "$folder/$figure.svg" "$copy/$figure.svg" | grep -q '^>'; then
            ((++wrong)) && echo "$folder$figure.gp draws another figure"
        fi
    done
done
echo "the site: $followed links, $drawn figures by their scripts, $wrong wrong"
((stale == 0 && wrong == 0 && drawn > 0))
