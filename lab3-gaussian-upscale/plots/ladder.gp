# Figures and table of the experiment `ladder`: every variant at one size, beside report 003's four.
# Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/upscaling.gp"

eval open_times("ladder")
eval open_other("report", HERE."/report_ladder.csv")
do for [column in "width height ms"] { eval other_number("report", column) }
eval other_text("report", "variant")

# The report timed the Gaussian at one size; beside other rows its times would mean nothing.
report_ms_at(v, m, s) = (ms_ = NaN, sum [r=1:report_ROWS] (m eq "gauss" && report_variant[r] eq v \
    && s eq sprintf("%dx%d", report_width[r], report_height[r]) ? (ms_ = report_ms[r], 0) : 0), ms_)
# Its first version is what its speedups are over.
report_speedup(v, m, s) = report_ms_at(report_variant[1], m, s) / report_ms_at(v, m, s)

speedup_on_gpu(r) = on_gpu(r) && FIRST ? kernel_ms_mean[FIRST] / kernel_ms_mean[r] : NaN

# ---- A figure for each method -------------------------------------------------------------------

# Of every variant there is a row, and one above it of those that the report timed.
do for [m in METHODS] {
    FIRST = first_kernel(m, LARGEST)
    low = NaN
    high = NaN
    place = 0
    any_reports = 0
    set print $DOTS
    print DOTS_HEADER
    do for [name in VARIANTS] {
        row = row_of(name, m, LARGEST)
        if (!row) { continue }
        y = report_ms_at(name, m, LARGEST)
        if (known(y)) {
            any_reports = 1
            place = place + 1
            low = smaller(y, low)
            high = larger(y, high)
            print dot(ORIGINAL, place, y, NaN, NaN, sprintf("%s ms (%s×)", exact(y), \
                exact(report_speedup(name, m, LARGEST))), "report 003: ".name)
        }
        y = kernel_ms_mean[row]
        times = on_gpu(row) ? speedup_on_gpu(row) : speedup_kernel[row]
        place = place + 1
        low = smaller(y, low)
        high = larger(y, high)
        print dot(look_of(name), place, y, kernel_low[row], kernel_high[row], known(y) \
            ? exact(y)." ms".(known(times) ? " (".exact(times)."×)" : "") : WRONG, name)
    }
    unset print
    if (!known(high)) { continue }

    figure = figure_name("ladder", m)
    eval open_rows(figure, place)
    set title heading("Upscaling ".LARGEST." by 2, ".method_told(m))
    eval row_axis(low, high)
    set xlabel "time of the kernel (ms; lines: ".SPREAD.")\n× is the speedup over " \
        .(FIRST ? variant[FIRST]." on the GPU, over seq on the CPU" : "seq") \
        .(any_reports ? "\ncrosses: report 003's (".REPORT_MACHINE.")" : "")
    eval DOTS_PLOT
    eval close_figure(figure)
}

# ---- Table --------------------------------------------------------------------------------------

set print OUT_DIR."/ladder.md"
do for [k=1:words(METHODS)] {
    m = word(METHODS, k)
    if (!row_with(m, LARGEST)) { continue }
    FIRST = first_kernel(m, LARGEST)
    reports = FIRST && known(report_ms_at(report_variant[1], m, LARGEST))
    print sprintf("**%s, %s**\n", LARGEST, method_told(m))
    print "| variant | kernel ms | total ms | cold ms | GB/s | % of copy | speedup over seq |" \
        .(FIRST ? sprintf(" over %s |", variant[FIRST]) : "") \
        .(reports ? sprintf(" report 003's ms, %s | its speedup over its %s |", REPORT_MACHINE, \
            report_variant[1]) : "")
    print "| :-- | --: | --: | --: | --: | --: | --: |".(FIRST ? " --: |" : "") \
        .(reports ? " --: | --: |" : "")
    do for [name in VARIANTS] {
        r = row_of(name, m, LARGEST)
        if (!r) { continue }
        print sprintf("| %s | %s | %s | %s | %s | %s | %s |", name, \
            ms_or_wrong(kernel_ms_mean[r]), exact(total_ms_mean[r]), exact(cold_ms[r]), \
            exact(gb_per_s[r]), exact(percent_of_copy[r]), exact(speedup_kernel[r])) \
            .(FIRST ? sprintf(" %s |", exact(speedup_on_gpu(r))) : "") \
            .(reports ? sprintf(" %s | %s |", \
                known(report_ms_at(name, m, LARGEST)) \
                    ? sprintf("%.3f", report_ms_at(name, m, LARGEST)) : "-", \
                exact(report_speedup(name, m, LARGEST))) : "")
    }
    print ""
}
print MEANS." ".FACTS
unset print
