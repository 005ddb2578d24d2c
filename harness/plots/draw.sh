#!/usr/bin/env bash
# draw.sh LAB CSV_DIR OUT_DIR: draws the figures and tables of each experiment NAME of which there
# are CSV_DIR/NAME.csv and LAB/plots/NAME.sql or shared/NAME.sql, from the repository's root. Prints
# how many; fails, naming them, if some failed. Each experiment goes through three steps, in a
# scratch folder:
#
# 1. sqlite3 reads prelude.sql, LAB/plots/lab.sql, LAB/plots/NAME.sql and shared/NAME.sql, as
#    far as there are such files. Table `data` is CSV_DIR/NAME.csv, `csv_OTHER` CSV_DIR/OTHER.csv,
#    `report_X` LAB/plots/report_X.csv; empty fields are NULL. The queries write
#    - tables: `.output results.md` after `.headers off`;
#    - data of figures: `.output ANY.tsv`; the first column, `figure`, names the figure, and rows of
#      figure F become the file F.tsv, with a header, separated by tabs.
# 2. In these files {x} becomes the number x with three digits, {} a dash.
# 3. gnuplot reads style.gp and LAB/plots/NAME.gp (and shared/NAME.gp), which make F.svg.
set -euo pipefail
shopt -s nullglob

lab=$(realpath "$1") csv=$2 out=$3 drawn=0 bad=()
plots=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
older_files_lack=(kernel_ms_q1 kernel_ms_q3 spread disturbed copy_gb_per_s l1_bytes l2_bytes)
profiles_lack=(width height kernel_ms_mean kernel_ms_min kernel_ms_max parameters cpu compiler
    method radius sigma gpu commit timestamp backend threads threads_inner block_width block_height
    total_ms_mean speedup_total)

# load FILE TABLE [COLUMN...]: the SQL that makes TABLE of a CSV file; COLUMNs the file has not are
# NULL. Numbers are REAL, so that no division is one of integers.
load() {
    local file=$1 table=$2 header column type types=() values=()
    IFS=, read -ra header < <(head -n 1 "$file" | tr -d '\r')
    for column in "${header[@]}"; do
        case $column in commit | case) type=text ;; *) type=real ;; esac
        types+=("\"$column\" $type")
        values+=("nullif(\"$column\", '')")
    done
    for column in "${@:3}"; do
        [[ " ${header[*]} " == *" $column "* ]] ||
            { types+=("\"$column\" real") && values+=("null"); }
    done
    local IFS=,
    printf '.import --csv "%s" raw\ncreate table %s (%s);\ninsert into %s select %s from raw;\n' \
        "$(realpath "$file")" "$table" "${types[*]}" "$table" "${values[*]}"
    echo 'drop table raw;'
}

# The lab's variants in the order in which they get their colours, with their ideas, as SQL.
listed_variants() {
    local file name idea
    {
        printf '%s\n' "$lab"/ladder/*.{cpp,cu} | grep -v _mpi_ | sort
        printf '%s\n' "$lab"/expert/*/{seq,omp,cuda}_*.{cpp,cu} | sort
        printf '%s\n' "$lab"/libraries/*.{cpp,cu} | sort
        printf '%s\n' "$lab"/ladder/*_mpi_*.{cpp,cu} | sort
    } | while read -r file; do
        [[ -n $file ]] || continue
        name=$(sed 's|.*/libraries/|peer_|; s|.*/||; s|^[0-9]*_||; s|\..*||' <<<"$file")
        idea=$(sed -n "s/'/''/g; s/.*\.idea = \"\([^\"]*\)\".*/\1/p" "$file")
        printf "insert into listed values ('%s', '%s');\n" "$name" "$idea"
    done
}

queries() {
    local file name=$1
    echo 'create table listed (variant, idea);' && listed_variants
    load "$csv/$name.csv" data "${older_files_lack[@]}" "${profiles_lack[@]}"
    for file in "$csv"/*.csv; do
        [[ $file == *_samples.csv ]] || load "$file" "csv_$(basename "$file" .csv)" \
            "${older_files_lack[@]}"
    done
    for file in "$lab"/plots/report_*.csv; do load "$file" "$(basename "$file" .csv)"; done
    for file in "$plots/prelude.sql" "$lab/plots/lab.sql" "$lab/plots/$name.sql" \
        "$plots/shared/$name.sql"; do
        [[ ! -e $file ]] || echo ".read \"$(realpath "$file")\""
    done
    printf '.output settings.gp\n.headers off\n%s;\n' 'select * from gnuplot_settings'
}

draw() (
    local name=$1 queries scripts=("$plots/style.gp" settings.gp) script to
    to=$(realpath "$out")
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    queries=$(queries "$name")
    for script in "$lab/plots/$name.gp" "$plots/shared/$name.gp"; do
        [[ ! -e $script ]] || scripts+=("$(realpath "$script")")
    done
    cd "$scratch"
    sqlite3 -bail :memory: <<<"$queries"
    for file in settings.gp *.md *.tsv; do
        [[ -s $file ]] || { rm "$file" && continue; }
        awk -f "$plots/numbers.awk" "$file" >formatted && mv formatted "$file"
        [[ $file != *.tsv ]] || { mkdir -p figures && awk -f "$plots/split.awk" "$file"; }
    done
    [[ ! -d figures ]] || { rm -f ./*.tsv && mv figures/* .; }
    gnuplot -e "PLOTS = '$plots'; LAB = '$lab'" "${scripts[@]}"
    for file in *.md *.svg; do
        "$plots/finish.sh" "$file"
        mv "$file" "$to/"
    done
)

mkdir -p "$out"
for name in $(basename -as .sql "$lab"/plots/*.sql "$plots"/shared/*.sql | sort -u); do
    [[ -e $csv/$name.csv && $(wc -l <"$csv/$name.csv") -gt 1 ]] || continue
    draw "$name" >&2 & # not as a condition: within one, bash goes on after a failure
    if wait $!; then ((++drawn)); else bad+=("$name"); fi
done
echo "gnuplot scripts run: $drawn${bad[*]:+, FAILED: ${bad[*]}}"
[[ -z ${bad[*]} ]]
