#!/usr/bin/env bash
# Prints reports/index.html, from the root, after figures and tables were drawn: for each lab of
# reports/ its pictures, and for each machine (a folder with device.txt) the staircase, figures,
# tables and CSV files. Texts are those of the README files.
set -euo pipefail
shopt -s nullglob
plots=$(dirname "${BASH_SOURCE[0]}")

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }
as_html() { awk -f "$plots/markdown.awk" -v name="$1"; }
fold() { printf '<details>\n<summary>%s</summary>\n' "$1"; } # until "</details>"

# part_of FILE FROM TO: from the first line that matches FROM up to the next one that matches TO.
part_of() {
    awk -v from="$2" -v to="$3" '$0 ~ to && on { exit } $0 ~ from { on = 1 } on
        END { if (!on) { print FILENAME ": no line matches " from > "/dev/stderr"; exit 1 } }' "$1"
}

# ---- Machines -----------------------------------------------------------------------------------

# Those with a GPU first.
machines() {
    {
        grep -L '^GPU  none' reports/*/*/device.txt
        grep -l '^GPU  none' reports/*/*/device.txt
    } | sed 's|/device.txt||; s|.*/||' | awk '!seen[$0]++'
}

# The name of the GPU or, without one, that of the CPU.
label_of() {
    cat reports/*/"$1"/device.txt | awk '
        /^CPU/ { cpu = substr($0, 6) }
        /^GPU/ && !/none/ { sub(/,.*/, ""); gpu = substr($0, 6) }
        END { print gpu == "" ? cpu : gpu }' | escaped
}

# From device.txt, and from the columns that all CSV files have.
facts_of() {
    local devices=(reports/*/"$1"/device.txt) csv=(reports/*/"$1"/*.csv)
    echo '<dl class="facts">'
    awk '/^$/ { exit }
        { name = substr($0, 1, 3); if (name == "   ") name = "" }
        { printf "%s%s", name ? (NR > 1 ? "\n" : "") name "\t" : "; ", substr($0, 6) }
        END { print "" }' "${devices[0]}" | escaped | sed 's|\(.*\)\t\(.*\)|<dt>\1</dt><dd>\2</dd>|'
    awk -F, 'function add(key, value) {
            if (value != "" && !seen[key, value]++)
                all[key] = all[key] (all[key] == "" ? "" : ", ") value
        }
        FILENAME ~ /_samples.csv$/ { nextfile }
        FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; ++files; next }
        { ++rows }
        "compiler" in at { add("compiler", $(at["compiler"])) }
        "timestamp" in at {
            date = substr($(at["timestamp"]), 1, 10)
            if (first == "" || date < first) first = date
            if (date > last) last = date
        }
        END {
            printf "<dt>compilers</dt><dd>%s</dd>\n", all["compiler"]
            printf "<dt>measured</dt><dd>%s: %d rows in %d CSV files</dd>\n", \
                first (last > first ? " to " last : ""), rows, files
        }' "${csv[@]}"
    echo '</dl>'
}

machine_choice() {
    local machine checked=' checked'
    echo '<fieldset class="choice"><legend>Machine:</legend>'
    for machine in "$@"; do
        printf '<label><input type="radio" name="machine" id="on-%s"%s> %s</label>\n' \
            "$machine" "$checked" "$(label_of "$machine")"
        checked=''
    done
    echo '<label><input type="radio" name="machine" id="on-all"> all</label></fieldset>'
}

# Shown is what all machines share, and what belongs to the machine that was chosen.
style() {
    local machine
    cat driver/templates/style.css
    cat "$plots/index_page.css"
    for machine in "$@"; do
        echo "html:has(#on-$machine:checked) .of:not(.$machine) { display: none; }"
    done
}

# ---- A lab --------------------------------------------------------------------------------------

# The topmost text of an SVG file is its heading, and the next one says what it was measured on.
heading_of() {
    awk '/translate\(/ { y = $0; sub(/.*translate\([^,]*,/, "", y); y += 0 }
        /<text>/ && (best == "" || y < best) {
            best = y; heading = $0
            gsub(/^.*<text>|<\/text>.*|"/, "", heading)
        }
        END { print heading }' "reports/$1"
}

# figure SVG: the image links to the file, which can be enlarged.
figure() {
    printf '<figure class="scroll"><a href="%s"><img class="figure" src="%s" alt="%s"' \
        "$1" "$1" "$(heading_of "$1")"
    sed -n 's/.*viewBox="0 0 \([0-9]*\) \([0-9]*\)".*/ width="\1" height="\2" loading="lazy">/p' \
        "reports/$1"
    echo '</a></figure>'
}

# The files of MACHINE with the ending, in the order in which the lab's page names them.
files_of() {
    local lab=$1 machine=$2 ending=$3
    {
        grep -o "$machine/[-_a-z0-9]*\.$ending" "reports/$lab/README.md" || true
        (cd "reports/$lab" && printf '%s\n' "$machine"/*."$ending")
    } | awk '!seen[$0]++' | while read -r file; do
        [[ ! -e reports/$lab/$file ]] || echo "$lab/$file"
    done
}

figures() {
    local figures
    mapfile -t figures < <(files_of "$1" "$2" svg | grep -v /staircase-)
    ((${#figures[@]})) || return 0
    fold "Figures (${#figures[@]})" && echo '<div class="gallery">'
    for file in "${figures[@]}"; do figure "$file"; done
    echo '</div></details>'
}

tables() {
    local file name files
    mapfile -t files < <(files_of "$1" "$2" md)
    ((${#files[@]})) || return 0
    fold "Tables (${#files[@]})"
    for file in "${files[@]}"; do
        name=$(basename "$file" .md)
        fold "$name" && as_html "$name" <"reports/$file" && echo '</details>'
    done
    echo '</details>'
}

data() {
    local file csv=(reports/"$1"/"$2"/*.csv)
    fold "CSV files (${#csv[@]})" && echo '<p>'
    for file in "${csv[@]}"; do
        printf '<a href="%s">%s</a>\n' "${file#reports/}" "${file##*/}"
    done
    echo '</p></details>'
}

kernels() {
    local kernels
    kernels=$(sed '1,/^$/d' "reports/$1/$2/device.txt" 2>/dev/null | escaped)
    [[ -n $kernels ]] || return 0
    fold "Kernels: registers, shared memory, occupancy"
    printf '<div class="scroll" tabindex="0"><pre>%s</pre></div></details>\n' "$kernels"
}

# The result in a sentence stands above the table of the ladder.
result() {
    printf '<div class="of %s">\n<h3 class="machine">%s</h3>\n' "$2" "$(label_of "$2")"
    awk '/^\*\*/ { work = $0 } /^`/ { print work ": " $0 "\n" }' "reports/$1/$2/staircase.md" |
        as_html result
    echo '</div>'
}

details() {
    local lab=$1 machine=$2 file
    printf '<div class="of %s">\n' "$machine"
    for file in "reports/$lab/$machine"/staircase-*.svg; do figure "${file#reports/}"; done
    figures "$lab" "$machine" && tables "$lab" "$machine"
    kernels "$lab" "$machine" && data "$lab" "$machine"
    echo '</div>'
}

# Folders that belong to no machine, like the `scenes` of lab 3.
other_data() {
    local lab=$1 folder name
    for folder in reports/"$lab"/*/; do
        name=$(basename "$folder")
        [[ -e $folder/device.txt || -z $(compgen -G "$folder*.csv") ]] && continue
        fold "Also measured: $name"
        figures "$lab" "$name" && tables "$lab" "$name" && data "$lab" "$name"
        echo '</details>'
    done
}

# The pictures of the lab's page, one in a line, with what it says of them.
pictures() {
    local text file
    grep -oP '!\[[^]]*\]\(pictures/[^)]*\)' "reports/$1/README.md" | escaped |
        sed 's/^!\[\(.*\)\](\(.*\))$/\1\t\2/' | while IFS=$'\t' read -r text file; do
        printf '<figure><a href="%s"><img src="%s" alt="%s"></a></figure>\n' \
            "$1/$file" "$1/$file" "$text"
    done
}

title_of() { sed -n '1s/^# \(.*\), measured$/\1/p' "reports/$1/README.md"; }

lab() {
    local lab=$1 machine about pictures measured=()
    mapfile -t pictures < <(pictures "$lab")
    for machine in "${@:2}"; do
        [[ ! -e reports/$lab/$machine/staircase.md ]] || measured+=("$machine")
    done
    printf '<section id="%s">\n<h2>%s</h2>\n<div class="intro"><div>\n' "$lab" "$(title_of "$lab")"
    about=$(awk -F' *\\| *' -v link="]($lab/README.md)" 'index($2, link) {
        print toupper(substr($3, 1, 1)) substr($3, 2) ". Variants: " $4 "." }' README.md)
    as_html about <<<"$about"
    printf '<p><a href="../%s/README.md">Handout</a> · <a href="%s/README.md">Report</a></p>\n' \
        "$lab" "$lab"
    for machine in "${measured[@]}"; do result "$lab" "$machine"; done
    printf '</div>\n%s\n</div>\n' "${pictures[0]:-}"
    for machine in "${measured[@]}"; do details "$lab" "$machine"; done
    other_data "$lab"
    if ((${#pictures[@]} > 1)); then
        fold "More pictures ($((${#pictures[@]} - 1)))"
        printf '<div class="gallery">\n%s\n</div></details>\n' "$(printf '%s\n' "${pictures[@]:1}")"
    fi
    echo '</section>'
}

# ---- The page -----------------------------------------------------------------------------------

header() {
    cat <<'END'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parallel image processing: what the labs measured</title>
<style>
END
    style "$@"
    printf '</style>\n</head>\n<body>\n'
}

contents() {
    local lab
    printf '<nav aria-label="Contents">\n<ul>\n'
    for lab in "${labs[@]}"; do
        printf '<li><a href="#%s">%s</a></li>\n' "$lab" "$(title_of "$lab")"
    done
    printf '<li><a href="#%s">%s</a></li>\n' machines Machines method Method
    echo '</ul>'
    machine_choice "$@"
    echo '</nav>'
}

introduction() {
    printf '<h1>%s</h1>\n' "$(sed -n '1s/^# //p' README.md)"
    part_of README.md '^Assignments' '^$' | as_html course
    part_of README.md '^The table compares' '^<!-- end' | as_html results
    fold "What the columns mean"
    part_of README.md '^The times do not' '^<details>' | as_html results
    cat <<'END'
</details>
<p>In the first figure of each lab, every variant has one idea more than the one below it. A bar is
the rate at which the variant reads its input and writes its output, in percent of the rate of a
copy of as many bytes.</p>
END
}

machine_facts() {
    local machine
    printf '<section id="machines">\n<h2>Machines</h2>\n'
    for machine in "$@"; do
        printf '<h3 class="machine">%s</h3>\n' "$(label_of "$machine")"
        facts_of "$machine"
    done
    echo '</section>'
}

method() {
    printf '<section id="method">\n<h2>How it was measured</h2>\n'
    part_of reports/README.md '^[*][*]How it was timed' '^[*][*]The original reports' |
        as_html timing
    cat <<'END'
<p>What of the four original student reports is where: <a href="README.md">reports</a>.</p>
</section>
END
}

compgen -G 'reports/*/*/device.txt' >/dev/null ||
    { echo "$0: no machine: there is no reports/LAB/MACHINE/device.txt" >&2 && exit 1; }
mapfile -t all_machines < <(machines)
labs=()
for page in reports/lab*/README.md; do labs+=("$(basename "$(dirname "$page")")"); done
header "${all_machines[@]}"
contents "${all_machines[@]}"
echo '<main>'
introduction
for lab in "${labs[@]}"; do lab "$lab" "${all_machines[@]}"; done
machine_facts "${all_machines[@]}"
method
printf '</main>\n</body>\n</html>\n'
