# Figures and tables of the experiment `images`: every variant on pictures like report 004's eight.
# Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/equalizing.gp"

eval open_times("images")
eval open_report_pictures
eval define_least("fastest_on_gpu(c)", "total_ms_mean", "on_gpu(r) && case[r] eq c")
eval define_least("fastest_on_cpu(c)", "total_ms_mean", "!on_gpu(r) && case[r] eq c")
eval define_count("rows_on_gpu(v)", "on_gpu(r) && variant[r] eq v")

# The pictures in order of their pixels.
eval define_least("larger_picture(n)", "pixels", "pixels[r] > n")
BY_SIZE = ""
row = larger_picture(0)
while (row) {
    do for [r=1:ROWS] {
        if (pixels[r] == pixels[row]) { BY_SIZE = with_word(BY_SIZE, case[r]) }
    }
    row = larger_picture(pixels[row])
}

# ---- From host to host, by picture --------------------------------------------------------------

# Kernels with the harness's transfers take about the same time from host to host, so of those that
# are no library's only report 004's is drawn, and the one that is fastest with the largest picture.
eval define_least("fastest_with_transfers(c)", "total_ms_mean", \
    "backend[r] eq 'cuda' && !whole_way(r) && case[r] eq c")
best = fastest_with_transfers(LARGEST)
SHOWN = ""
do for [v in VARIANTS] {
    r = row_of_variant(v)
    if (backend[r] ne "cuda" || is_whole_way(v) || v eq REPORT_VARIANT \
        || (best && v eq variant[best ? best : 1])) { SHOWN = with_word(SHOWN, v) }
}

# report 004's two times are crosses, each in a colour of its own.
REPORT_TITLES = '"report 004: T_sequential" "report 004: T_cuda"'
N = words(VARIANTS)
BESIDE = sprintf(", beside report 004's (%s, %s)", REPORT_CPU, REPORT_MACHINE)
row_at(k, i) = row_of(word(VARIANTS, k), word(BY_SIZE, i))
curve_title(k) = k > N ? word(REPORT_TITLES, k - N) : word(VARIANTS, k)
curve_look(k) = k == N + 1 ? ORIGINAL : k == N + 2 ? ORIGINAL + 1 : look_of(word(VARIANTS, k))
set linetype ORIGINAL + 1 linecolor rgb "#e03131" pointtype 1 pointsize 1.2 linewidth 1.2

DRAWN_VARIANTS = ""
do for [v in SHOWN] { DRAWN_VARIANTS = DRAWN_VARIANTS.sprintf(" %d", index_in(VARIANTS, v)) }
eval series("total_ms_mean", DRAWN_VARIANTS, numbers(words(BY_SIZE)))
set print $SERIES append
do for [i=1:words(BY_SIZE)] {
    report = report_row(word(BY_SIZE, i))
    if (report) {
        eval point(N + 1, i, report_sequential_ms[report] + 0, NaN, NaN)
        eval point(N + 2, i, report_cuda_ms[report] + 0, NaN, NaN)
    }
}
unset print
if (DRAWN ne "") {
    HEIGHT = 580   # four decades
    eval open_series("images", 4.5, 3)
    set title heading("Histogram equalization from host to host".BESIDE)
    set ylabel "time from host to host (ms)"
    set xlabel "picture, with its size in pixels; lc: low contrast, di: dark interior, f: foggy," \
        ."\no: overexposed, u: underexposed, hr: high resolution" offset 0, -0.6
    eval value_axis
    eval category_axis(BY_SIZE)
    eval CATEGORIES_PLOT
    eval close_figure("images")
}

# ---- Kernels, the largest picture ---------------------------------------------------------------

# Of every variant there is a row, and above it one of the two that the report timed.
report_ms_at(v, c) = !report_row(c) ? NaN \
    : v eq BASELINE ? report_sequential_ms[report_row(c)] + 0 \
    : v eq REPORT_VARIANT ? report_kernel_ms[report_row(c)] + 0 : NaN
low = NaN
high = NaN
place = 0
set print $DOTS
print DOTS_HEADER
do for [name in VARIANTS] {
    row = row_of(name, LARGEST)
    if (!row) { continue }
    y = report_ms_at(name, LARGEST)
    if (known(y)) {
        place = place + 1
        low = smaller(y, low)
        high = larger(y, high)
        speedup = name eq BASELINE ? "1.00" : report_speedup_kernel[report_row(LARGEST)]
        print dot(ORIGINAL, place, y, NaN, NaN, sprintf("%s ms (%s×)", exact(y), speedup), \
            "report 004: ".name)
    }
    y = kernel_ms_mean[row]
    place = place + 1
    low = smaller(y, low)
    high = larger(y, high)
    print dot(look_of(name), place, y, kernel_low[row], kernel_high[row], known(y) \
        ? exact(y)." ms".(known(speedup_kernel[row]) ? " (".exact(speedup_kernel[row])."×)" : "") \
        : WRONG, kernel_name(name))
}
unset print
if (known(high)) {
    eval open_rows("images-kernels", place)
    set title heading("Histogram equalization of ".LARGEST)
    eval row_axis(low, high)
    set xlabel "time of the kernels, without transfers (ms; lines: ".SPREAD \
        .")\n× is the speedup over ".BASELINE."; crosses: report 004's (" \
        .REPORT_CPU.", ".REPORT_MACHINE.")"
    eval DOTS_PLOT
    eval close_figure("images-kernels")
}

# ---- Report 004's tables 1 and 2, with ours beside them -----------------------------------------

# Beside its columns stand those of its kernels here, and what is fastest from host to host.
# Without a GPU they are those of all variants.
any_gpu = rows_on_gpu(REPORT_VARIANT)
OTHERS = ""
do for [v in VARIANTS] { if (v ne BASELINE) { OTHERS = with_word(OTHERS, v) } }
ms_and_name(r) = r ? exact(total_ms_mean[r])." (".variant[r].")" : "-"
speedup_and_name(r) = r ? exact(speedup_total[r])." (".variant[r].")" : "-"

set print OUT_DIR."/images.md"
print sprintf("**Times (ms): report 004's table 1 (%s, %s) and ours**\n", REPORT_CPU, \
    REPORT_MACHINE)
header = "| picture | report 004's T_sequential | its T_kernel | its T_cuda | T_sequential |"
rule = "| :-- | --: | --: | --: | --: |"
if (any_gpu) {
    print header." T_kernel | T_cuda, warm | T_cuda, first call | fastest GPU, host to host" \
        ." | fastest CPU |"
    print rule." --: | --: | --: | --: | --: |"
} else {
    do for [v in OTHERS] {
        header = header.sprintf(" %s |", v)
        rule = rule." --: |"
    }
    print header
    print rule
}
do for [c in CASES] {
    report = report_row(c)
    line = sprintf("| %s |", c).(report ? sprintf(" %s | %s | %s |", report_sequential_ms[report], \
        report_kernel_ms[report], report_cuda_ms[report]) : " - | - | - |") \
        .sprintf(" %s |", ms_or_wrong(total_at(BASELINE, c)))
    if (any_gpu) {
        print line.sprintf(" %s | %s | %s | %s | %s |", ms_or_wrong(kernel_at(REPORT_VARIANT, c)), \
            exact(total_at(REPORT_VARIANT, c)), exact(cold_at(REPORT_VARIANT, c)), \
            ms_and_name(fastest_on_gpu(c)), ms_and_name(fastest_on_cpu(c)))
    } else {
        do for [v in OTHERS] { line = line.sprintf(" %s |", ms_or_wrong(total_at(v, c))) }
        print line
    }
}

print sprintf("\n**Speedups: report 004's table 2 and ours**\n")
header = "| picture | report 004's S_kernel | its S_cuda |"
rule = "| :-- | --: | --: |"
if (any_gpu) {
    print header." S_kernel | S_cuda, warm | S_cuda, first call | fastest GPU, host to host" \
        ." | fastest CPU |"
    print rule." --: | --: | --: | --: | --: |"
} else {
    do for [v in OTHERS] {
        header = header.sprintf(" %s |", v)
        rule = rule." --: |"
    }
    print header
    print rule
}
do for [c in CASES] {
    report = report_row(c)
    line = sprintf("| %s |", c).(report ? sprintf(" %s | %s |", report_speedup_kernel[report], \
        report_speedup_cuda[report]) : " - | - |")
    base = total_at(BASELINE, c)
    if (any_gpu) {
        print line.sprintf(" %s | %s | %s | %s | %s |", \
            exact(base / kernel_at(REPORT_VARIANT, c)), exact(base / total_at(REPORT_VARIANT, c)), \
            exact(base / cold_at(REPORT_VARIANT, c)), \
            speedup_and_name(fastest_on_gpu(c)), speedup_and_name(fastest_on_cpu(c)))
    } else {
        do for [v in OTHERS] { line = line.sprintf(" %s |", exact(base / total_at(v, c))) }
        print line
    }
}
ABOUT = any_gpu ? sprintf("T_kernel and T_cuda are those of %s. A warm call finds the context" \
    ." and its buffers ready; the first call of a process makes them. ", REPORT_VARIANT) : ""
print "\n".ABOUT."Speedups are over ".BASELINE.". ".MEANS." ".FACTS
unset print

# ---- results.md: everything on the largest picture ----------------------------------------------

set print OUT_DIR."/results.md"
print sprintf("**%s**\n", LARGEST)
print "| variant | kernel ms | total ms | cold ms | GB/s | % of copy | speedup kernel " \
    ."| speedup total |"
print "| :-- | --: | --: | --: | --: | --: | --: | --: |"
do for [v in VARIANTS] {
    r = row_of(v, LARGEST)
    if (!r) { continue }
    print sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", v, \
        ms_or_wrong(kernel_ms_mean[r]), exact(total_ms_mean[r]), exact(cold_ms[r]), \
        exact(gb_per_s[r]), exact(percent_of_copy[r]), exact(speedup_kernel[r]), \
        exact(speedup_total[r]))
}
print "\nSpeedups are over ".BASELINE.". ".MEANS." ".FACTS
unset print
