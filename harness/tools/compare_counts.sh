#!/usr/bin/env bash
# compare_counts.sh PROGRAM EMULATED_PROGRAM [INPUT]
# compare_counts.sh COUNTS.csv EMULATED_PROGRAM [INPUT]
#
# Counts the memory accesses of each CUDA variant of a lab twice: with Nsight Compute on the GPU, with
# PROGRAM, and with `run --explain`, with EMULATED_PROGRAM (built with -DLABS_CUDA=EMULATE). Prints
# CSV: a row per kernel and metric, summed over the kernel's launches in one call of the variant.
# `ratio` is the emulation's count divided by Nsight Compute's. With an earlier output in place of
# PROGRAM, Nsight Compute's counts are those of that file: the emulation has changed, and there is
# no GPU.
set -euo pipefail

(($# == 2 || $# == 3)) || { echo "usage: ${0##*/} PROGRAM|COUNTS.csv EMULATED_PROGRAM [INPUT]" >&2 && exit 2; }
program=$1 emulated=$2 input=${3:-scene:landscape:480x270}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints lines "KERNEL METRIC COUNT LAUNCHES".
by_emulation() {
    timeout 300 "$emulated" run "$input" --variant "$1" --output "$scratch/out.png" --explain \
        >"$scratch/explained" 2>&1 || return
    awk '/^kernel / { kernel = $2; sub(/:$/, "", kernel); launches = $3 }
        /^(l1tex|smsp)__/ { print kernel, $1, $2, launches }
        # Without bank conflicts there is no line for them.
        /^l1tex__data_pipe/ {
            name = $1
            sub(/pipe_lsu_wavefronts/, "bank_conflicts_pipe_lsu", name)
            none[kernel " " name] = launches
        }
        /^l1tex__data_bank_conflicts/ { delete none[kernel " " $1] }
        END { for (key in none) print key, 0, none[key] }' "$scratch/explained"
}

from_file() {
    awk -F, -v variant="$1" '$1 == variant && $5 != "" { print $2, $3, $5 }' "$program"
}

# The same counts, of the first launches in the log of Nsight Compute.
by_nsight_compute() {
    local variant=$1 counts=$2 metrics
    # An atomic function whose result is not used is a reduction, which has counters of its own.
    metrics=$(awk '{ print $2 } sub(/_op_atom/, "_op_red", $2) { print $2 }' "$counts" |
        sort -u | paste -sd,)
    ncu --clock-control none --kernel-name-base function --metrics "$metrics" --page raw --csv \
        --print-units base --log-file "$scratch/log" "$program" run "$input" --variant "$variant" \
        --repeats 1 --output "$scratch/out.png" >"$scratch/stdout" 2>&1 || return
    awk '
        FNR == NR { wanted[$1] = $4; next } # the launches of a kernel in one call
        { gsub(/^"|"$/, ""); count = split($0, field, /","/) }
        field[1] == "ID" { for (i = 1; i <= count; ++i) name[i] = field[i]; next }
        field[1] !~ /^[0-9]+$/ { next }
        {
            for (i = 1; i <= count; ++i) if (name[i] == "Kernel Name") kernel = field[i]
            sub(/^void /, "", kernel)
            sub(/[(<].*/, "", kernel)
            if (++seen[kernel] > wanted[kernel]) next
            for (i = 1; i <= count; ++i) {
                if (name[i] !~ /^(l1tex|smsp)__/) continue
                gsub(/,/, "", field[i])
                metric = name[i]
                sub(/_op_red/, "_op_atom", metric)
                sum[kernel " " metric] += field[i]
            }
        }
        END { for (key in sum) print key, sum[key] }
    ' "$counts" "$scratch/log"
}

echo "variant,kernel,metric,emulated,nsight_compute,ratio"
for variant in $("$emulated" list | awk '$2 == "cuda" { print $1 }'); do
    if ! by_emulation "$variant" >"$scratch/emulated"; then
        echo "$variant: $(grep -m 1 error "$scratch/explained")" >&2
        continue
    fi
    if [[ $program == *.csv ]]; then
        from_file "$variant" >"$scratch/measured"
    elif ! by_nsight_compute "$variant" "$scratch/emulated" >"$scratch/measured"; then
        echo "$variant: $(grep -hm 1 -iE 'error' "$scratch/log" "$scratch/stdout")" >&2
        continue
    fi
    awk -v variant="$variant" '
        FNR == NR { measured[$1 " " $2] = $3; next }
        {
            key = $1 " " $2
            if (!(key in measured) && $3 == 0) next # nobody asked for it
            ratio = measured[key] > 0 ? sprintf("%.4f", $3 / measured[key]) : ""
            print variant "," $1 "," $2 "," $3 "," measured[key] "," ratio
        }
    ' "$scratch/measured" "$scratch/emulated"
done
