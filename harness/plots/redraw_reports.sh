#!/usr/bin/env bash
# Redraws the figures of reports/LAB/MACHINE/ from the CSV files there, then puts the generated
# tables into the Markdown pages, between "<!-- begin: PATH -->" and "<!-- end -->", and writes
# reports/index.html. From the root.
set -euo pipefail
shopt -s nullglob
plots=$(dirname "${BASH_SOURCE[0]}")

refresh_tables() {
    local new
    new=$(mktemp)
    awk -v page="$1" '
        function stop(why) { print page ": " why > "/dev/stderr"; failed = 1; exit 1 }
        /^<!-- end -->/ { inside = 0 }
        !inside { print }
        /^<!-- begin: .* -->/ {
            if (inside) stop("\"<!-- end -->\" is missing")
            inside = 1
            if ((getline line < $3) <= 0) stop("nothing to read in " $3)
            do print line; while ((getline line < $3) > 0)
            close($3)
        }
        END { if (inside && !failed) stop("\"<!-- end -->\" is missing") }' "$1" >"$new" ||
        { rm "$new" && return 1; }
    cmp -s "$1" "$new" || { cat "$new" >"$1" && echo "$1: tables refreshed"; }
    rm "$new"
}

status=0
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT
for folder in reports/*/*/; do
    lab=$(basename "$(dirname "$folder")")
    [[ -d $lab/plots && -n $(compgen -G "$folder*.csv") ]] || continue
    rm -rf "${drawn:?}"/*
    done=yes
    text=$("$plots/draw.sh" "$lab" "${folder%/}" "$drawn") || done='' status=1
    echo "$folder: $text"
    [[ -n $done ]] || continue
    rm -f "$folder"*.{svg,md} # or what is drawn no more would stay
    mv "$drawn"/* "$folder"
done
reports/results_table.py >reports/results.md || status=1
for page in *.md {lab*,common,docs,harness,reports,reports/*,reports/*/*}/*.md; do
    refresh_tables "$page" || status=1
done
"$plots/index_page.sh" >reports/index.html || status=1
exit $status
