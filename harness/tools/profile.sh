#!/usr/bin/env bash
# profile.sh PROGRAM CSV_DIR                   all CUDA variants, into CSV_DIR/profile.csv
# profile.sh PROGRAM VARIANT OTHER [INPUT]     two variants side by side
#
# Profiles CUDA variants of a lab with Nsight Compute. The input is scene:landscape:1920x1080 unless
# given. A variant launches its kernels several times; the last launch of each kernel counts, when
# all is warm. The CSV has a row per kernel. Side by side are the kernels that take the most time.
# Exit code 77 where there is no ncu, no GPU, or no permission to read its counters.
set -euo pipefail

usage() { echo "usage: ${0##*/} PROGRAM CSV_DIR | PROGRAM VARIANT OTHER [INPUT]" >&2 && exit 2; }
(($# >= 2 && $# <= 4)) || usage
program=$1 input=${4:-scene:landscape:1920x1080}
[[ -x $program ]] || { echo "${0##*/}: there is no program '$program'" >&2 && exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Lines "NAME  METRIC  DIVISOR".
csv_columns="
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
rows="
time,_us                    gpu__time_duration.sum                                               1e3
registers_per_thread        launch__registers_per_thread                                          1
warps_active,_%             sm__warps_active.avg.pct_of_peak_sustained_active                     1
issue_slots_used,_%         smsp__issue_active.avg.pct_of_peak_sustained_active                   1
instructions                smsp__inst_executed.sum                                               1
sectors_per_request,_loads  l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio  1
sectors_per_request,_stores l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio  1
bank_conflicts,_loads       l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum              1
bank_conflicts,_stores      l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum              1
L2,_bytes                   lts__t_bytes.sum                                                      1
DRAM,_bytes                 dram__bytes.sum                                                       1
"
stalls="barrier drain lg_throttle long_scoreboard math_pipe_throttle mio_throttle no_instruction
    not_selected short_scoreboard wait"
for stall in $stalls; do
    rows+="stall:_$stall smsp__average_warps_issue_stalled_${stall}_per_issue_active.ratio 1"$'\n'
done

give_up() {
    echo "profile: $1; the figures are drawn from the data in reports/" >&2
    exit 77
}

# counters VARIANT LIST: for each kernel a line "KERNEL VALUE...", with the values of the LIST's
# metrics in its order, "-" where ncu has none.
counters() {
    local metrics
    metrics=$(awk 'NF { printf "%s%s", sep, $2; sep = "," }' <<<"$2")
    if ! ncu --clock-control none --kernel-name-base function --metrics "$metrics" \
        --page raw --csv --print-units base --log-file "$scratch/log" \
        "$program" run "$input" --variant "$1" --repeats 1 \
        --output "$scratch/out.png" >"$scratch/stdout" 2>&1 ||
        grep -q '^==ERROR==' "$scratch/log"; then
        give_up "$1: $(grep -h -m 1 -E 'ERR|error' "$scratch/log" "$scratch/stdout")"
    fi
    awk -v list="$2" '
        BEGIN {
            count = split(list, words)
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
            row[kernel] = kernel
            for (i = 1; i <= n; ++i) {
                value = metric[i] in column ? $column[metric[i]] : ""
                gsub(/,/, "", value)
                known = value ~ /^[-+.0-9e]+$/
                row[kernel] = row[kernel] " " (known ? sprintf("%.10g", value / divisor[i]) : "-")
            }
        }
        END { for (i = 1; i <= kernels; ++i) print row[order[i]] }' "$scratch/log"
}

write_csv() {
    local variant commit
    commit=$(git -C "$(dirname "$0")" describe --always --dirty 2>/dev/null) || commit=unknown
    {
        printf 'variant,kernel,'
        awk 'NF && $1 !~ /^f(add|mul|fma)$/ { printf "%s,", $1 }' <<<"$csv_columns"
        echo 'flop,gpu,commit,timestamp'
    } >"$scratch/profile.csv"
    for variant in $("$program" list | awk '$2 == "cuda" { print $1 }'); do
        counters "$variant" "$csv_columns" >"$scratch/counters"
        awk -v variant="$variant" -v facts="\"$gpu\",$commit,$(date -u +%FT%TZ)" '{
            printf "%s,%s,", variant, $1
            for (i = 2; i <= NF - 3; ++i) printf($i == "-" ? "," : "%.6g,", $i)
            printf "%.6g,%s\n", $(NF - 2) + $(NF - 1) + 2 * $NF, facts
        }' "$scratch/counters" >>"$scratch/profile.csv"
    done
    mkdir -p "$1"
    mv "$scratch/profile.csv" "$1/profile.csv"
    echo "profile: $(($(wc -l <"$1/profile.csv") - 1)) kernels in $1/profile.csv"
}

# The first kernel's counters, the second's and their ratio; of the stalls, the three longest of
# either.
print_beside() {
    local variant
    for variant in "$1" "$2"; do
        "$program" list | awk -v name="$variant" '$1 == name && $2 == "cuda" { found = 1 }
            END { exit !found }' ||
            { echo "${0##*/}: '$variant' is not a CUDA variant of $program" >&2 && exit 2; }
        counters "$variant" "$rows" >"$scratch/counters.$variant"
    done
    awk -v list="$rows" -v first="$1" -v second="$2" '
        function text(x) {
            return x == "-" ? x : sprintf(x >= 100 || x == int(x) ? "%.0f" : "%.3g", x)
        }
        function line(name, a, b) {
            printf "%-30s%24s%24s%8s\n", name, text(a), text(b),
                a == "-" || b == "-" || b == 0 ? "-" : sprintf("%.2f", a / b)
        }
        function choose_longest(values,    i, found) {
            for (i = 1; i <= n; ++i) {
                if (name[i] !~ /^stall/ || i in chosen || values[i] == "-") continue
                if (!found || values[i] > values[found]) found = i
            }
            if (found) chosen[found]
        }
        BEGIN {
            count = split(list, words)
            for (i = 1; i < count; i += 3) { name[++n] = words[i]; gsub(/_/, " ", name[n]) }
        }
        FNR == 1 { ++file }
        { total[file] += $2 }
        $2 + 0 > time[file] { # the kernel that takes the most time
            time[file] = $2
            kernel[file] = $1
            for (i = 1; i <= n; ++i) if (file == 1) a[i] = $(i + 1); else b[i] = $(i + 1)
        }
        END {
            printf "%-30s%24s%24s%8s\n", "", first, second, "ratio"
            printf "%-30s%24s%24s\n", "kernel", kernel[1], kernel[2]
            line("all kernels, us", total[1], total[2])
            for (k = 1; k <= 3; ++k) { choose_longest(a); choose_longest(b) }
            for (i = 1; i <= n; ++i) {
                if (name[i] !~ /^stall/ || i in chosen) line(name[i], a[i], b[i])
            }
        }' "$scratch/counters.$1" "$scratch/counters.$2"
    echo "A stall is the average number of warps that wait for this reason while one issues."
}

command -v ncu >/dev/null || give_up "ncu (Nsight Compute) was not found"
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || true
[[ -n $gpu ]] || give_up "there is no NVIDIA GPU"
if (($# == 2)); then write_csv "$2"; else print_beside "$2" "$3"; fi
