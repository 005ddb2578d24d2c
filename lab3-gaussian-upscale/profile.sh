#!/usr/bin/env bash
# profile.sh PROGRAM CSV_DIR
#
# Profiles each CUDA variant with Nsight Compute, at 1920x1080 with the default filter, and
# writes CSV_DIR/profile.csv: one row per kernel, with the metrics that plots/profile.gp shows.
# Exit code 77 where there is no ncu, no GPU, or no permission to read its counters.
set -euo pipefail

(($# == 2)) || { echo "usage: ${0##*/} PROGRAM CSV_DIR" >&2 && exit 2; }
program=$1 csv_dir=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Name in the CSV, metric, and what divides it.
metrics="
memory_percent        gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed          1
compute_percent       sm__throughput.avg.pct_of_peak_sustained_elapsed                          1
dram_gb_per_s         dram__bytes.sum.per_second                                                1e9
l1_hit_percent        l1tex__t_sector_hit_rate.pct                                              1
sectors_per_request   l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio      1
occupancy_percent     sm__warps_active.avg.pct_of_peak_sustained_active                         1
registers             launch__registers_per_thread                                              1
stall_long_scoreboard smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio  1
duration_ms           gpu__time_duration.sum                                                    1e6
l1_bytes              l1tex__t_bytes.sum                                                        1
l2_bytes              lts__t_bytes.sum                                                          1
dram_bytes            dram__bytes.sum                                                           1
fadd                  smsp__sass_thread_inst_executed_op_fadd_pred_on.sum                       1
fmul                  smsp__sass_thread_inst_executed_op_fmul_pred_on.sum                       1
ffma                  smsp__sass_thread_inst_executed_op_ffma_pred_on.sum                       1
"

give_up() {
    echo "profile: $1; the figures are drawn from the data in reports/" >&2
    exit 77
}

command -v ncu >/dev/null || give_up "ncu (Nsight Compute) was not found"
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || true
[[ -n $gpu ]] || give_up "there is no NVIDIA GPU"
commit=$(git -C "$(dirname "$0")" describe --always --dirty 2>/dev/null) || commit=unknown
names=$(awk 'NF { printf "%s%s", sep, $2; sep = "," }' <<<"$metrics")

profile_variant() {
    local failed=0
    ncu --clock-control none --kernel-name-base function --metrics "$names" \
        --page raw --csv --print-units base --log-file "$scratch/log" \
        "$program" run scene:landscape:1920x1080 --variant "$1" --repeats 1 \
        --output "$scratch/out.png" >"$scratch/stdout" 2>&1 || failed=1
    if ((failed)) || grep -q '^==ERROR==' "$scratch/log"; then
        give_up "$1: $(grep -h -m 1 -E 'ERR|error' "$scratch/log" "$scratch/stdout")"
    fi
}

# Every kernel is launched several times; the last launch counts, when all is warm.
rows_of_variant() {
    awk -v variant="$1" -v wanted="$metrics" -v facts="\"$gpu\",$commit,$(date -u +%FT%TZ)" '
        BEGIN {
            count = split(wanted, words)
            for (i = 1; i < count; i += 3) { metric[++n] = words[i + 1]; divisor[n] = words[i + 2] }
            FS = "\",\""
        }
        { gsub(/^"|"$/, "") }
        $1 == "ID" { for (i = 1; i <= NF; ++i) column[$i] = i; next }
        !("ID" in column) || $1 !~ /^[0-9]+$/ { next }
        {
            kernel = $column["Kernel Name"]
            sub(/^void /, "", kernel)
            sub(/[(<].*/, "", kernel) # its arguments have commas
            if (!(kernel in row)) order[++kernels] = kernel
            row[kernel] = variant "," kernel
            for (i = 1; i <= n; ++i) {
                value = $column[metric[i]]
                gsub(/,/, "", value)
                number[i] = value / divisor[i]
                if (i <= n - 3) row[kernel] = row[kernel] sprintf(",%.6g", number[i])
            }
            flop = number[n - 2] + number[n - 1] + 2 * number[n]
            row[kernel] = row[kernel] sprintf(",%.6g", flop)
        }
        END { for (i = 1; i <= kernels; ++i) print row[order[i]] "," facts }
    ' "$scratch/log"
}

{
    printf 'variant,kernel,'
    awk 'NF && $1 !~ /^f(add|mul|fma)$/ { printf "%s,", $1 }' <<<"$metrics"
    echo 'flop,gpu,commit,timestamp'
} >"$scratch/profile.csv"
for variant in $("$program" list | awk '$2 == "cuda" { print $1 }'); do
    profile_variant "$variant"
    rows_of_variant "$variant" >>"$scratch/profile.csv"
done
mkdir -p "$csv_dir"
mv "$scratch/profile.csv" "$csv_dir/profile.csv"
echo "profile: $(($(wc -l <"$csv_dir/profile.csv") - 1)) kernels in $csv_dir/profile.csv"
