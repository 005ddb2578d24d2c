#!/usr/bin/env bash
# Prints the table of results in the README: for each lab one piece of work, and how many targets
# were met. From the root, after the tables of targets were drawn.
set -euo pipefail

# row LAB WHAT SIZE COLUMN CASE LIBRARY_CASE: COLUMN of the CSV files says CASE for the work of our
# variants, and LIBRARY_CASE, a regular expression, where the libraries do what is nearest to it.
row() {
    local cpu=reports/$1/cpu-2core gpu=reports/$1/h200
    awk -F, -v what="$2" -v size="$3" -v which="$4" -v ours="$5" -v theirs="$6" '
        function digits(x) { return x >= 100 ? 0 : x >= 10 ? 1 : x >= 1 ? 2 : x >= 0.1 ? 3 : 4 }
        function time(v) { return v in ms ? sprintf("%.*f ms", digits(ms[v]), ms[v]) : "-" }
        function named(v) { return time(v) (v == "" ? "" : " (`" v "`)") }
        function library_name(v) {
            gsub(/^peer_| on 2 cores$/, "", v)
            return v in names ? names[v] : toupper(v)
        }
        function fastest(one, other) {
            return ms[one] && (other == "" || ms[one] < ms[other]) ? one : other
        }
        BEGIN {
            names["cvcuda"] = "CV-CUDA"; names["halide"] = "Halide"; names["simd"] = "Simd"
            names["opencv"] = names["opencv_blur"] = "OpenCV"
        }
        FILENAME ~ /targets/ { goals += /\| (yes|no) \|$/; met += /\| yes \|$/; next }
        FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $(at["width"]) "x" $(at["height"]) == size {
            variant = $(at["variant"])
            if ($(at[which]) !~ "^(" (variant ~ /^peer_/ ? theirs : ours) ")$") next
            if ($(at["spread"]) > 0.25 || $(at["disturbed"]) > 0.7) next # too noisy for a comparison
            variant = variant (FILENAME ~ /cpu/ ? " on 2 cores" : "")
            ms[variant] = $(at["kernel_ms_mean"])
            copy[variant] = $(at["percent_of_copy"])
            if (FILENAME ~ /cpu/ && variant ~ /^peer_/) cpu_library = fastest(variant, cpu_library)
            if ($(at["parameters"]) ~ /threads=/) next # a CPU variant; the others run on the GPU
            if (variant ~ /^cuda_/) best = fastest(variant, best)
            if (variant ~ /^peer_/) library = fastest(variant, library)
        }
        END {
            printf "| %s | %s (%s) | %s | %s (%s) | %s | %.1f | %d of %d |\n", what,
                time(cpu_library), library_name(cpu_library), time("omp_best on 2 cores"),
                time(library), library_name(library), named(best), copy[best], met, goals
        }' "$cpu/limit.csv" "$gpu/limit.csv" "$cpu/targets.md" "$gpu/targets.md"
}

cat <<'END'
| work | library, 2 cores | `omp_best`, 2 cores | library, H200 | our fastest, H200 | % of copy | targets met |
| :-- | --: | --: | --: | --: | --: | --: |
END
row lab1-convolution "1: 3x3 blur, 7680x4320" 7680x4320 filter gauss3 gauss3
row lab2-integral-image "2: 32-bit sums, 8192x8192" 8192x8192 case 32-bit 32-bit
row lab3-gaussian-upscale "3: 7680x4320 to 15360x8640" 7680x4320 method gauss "bicubic|lagrange"
row lab4-histogram-eq "4: equalization, 7680x4320" 7680x4320 case landscape landscape
