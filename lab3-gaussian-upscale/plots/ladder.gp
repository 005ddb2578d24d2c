# Figures and table of the experiment `ladder`: every variant at one size, beside the seed's four.
# Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/upscaling.gp"

eval open_times("ladder")
eval open_other("seed", HERE."/seed_ladder.csv")
do for [column in "width height ms"] { eval other_number("seed", column) }
eval other_text("seed", "variant")

# The seed timed the Gaussian at one size; beside other rows its times would mean nothing.
seed_ms_at(v, m, s) = (ms_ = NaN, sum [r=1:seed_ROWS] (m eq "gauss" && seed_variant[r] eq v \
    && s eq sprintf("%dx%d", seed_width[r], seed_height[r]) ? (ms_ = seed_ms[r], 0) : 0), ms_)
# Its first version is what its speedups are over.
seed_speedup(v, m, s) = seed_ms_at(seed_variant[1], m, s) / seed_ms_at(v, m, s)

speedup_on_gpu(r) = on_gpu(r) && FIRST ? kernel_ms_mean[FIRST] / kernel_ms_mean[r] : NaN

# ---- A figure for each method -------------------------------------------------------------------

# Of every variant there is a row, and one above it of those that the report timed.
do for [m in METHODS] {
    FIRST = first_kernel(m, LARGEST)
    low = NaN
    high = NaN
    place = 0
    any_seeds = 0
    set print $DOTS
    print DOTS_HEADER
    do for [name in VARIANTS] {
        row = row_of(name, m, LARGEST)
        if (!row) { continue }
        y = seed_ms_at(name, m, LARGEST)
        if (known(y)) {
            any_seeds = 1
            place = place + 1
            low = smaller(y, low)
            high = larger(y, high)
            print dot(ORIGINAL, place, y, NaN, NaN, sprintf("%s ms (%s×)", exact(y), \
                exact(seed_speedup(name, m, LARGEST))), "report 003: ".name)
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
    set title heading("Upscaling ".LARGEST." by 2, ".method_told(m) \
        .(any_seeds ? ", beside report 003's (".SEED_MACHINE.", crosses)" : ""))
    eval row_axis(low, high)
    set xlabel "time of the kernel (ms; lines: ".SPREAD.")\n× is the speedup over " \
        .(FIRST ? variant[FIRST]." on the GPU, over seq on the CPU" : "seq")
    eval DOTS_PLOT
    eval close_figure(figure)
}

# ---- Table --------------------------------------------------------------------------------------

set print OUT_DIR."/ladder.md"
do for [k=1:words(METHODS)] {
    m = word(METHODS, k)
    if (!row_with(m, LARGEST)) { continue }
    FIRST = first_kernel(m, LARGEST)
    seeds = FIRST && known(seed_ms_at(seed_variant[1], m, LARGEST))
    print sprintf("**%s, %s**\n", LARGEST, method_told(m))
    print "| variant | kernel ms | total ms | cold ms | GB/s | % of copy | speedup over seq |" \
        .(FIRST ? sprintf(" over %s |", variant[FIRST]) : "") \
        .(seeds ? sprintf(" seed's ms, %s | seed's speedup over its %s |", SEED_MACHINE, \
            seed_variant[1]) : "")
    print "| :-- | --: | --: | --: | --: | --: | --: |".(FIRST ? " --: |" : "") \
        .(seeds ? " --: | --: |" : "")
    do for [name in VARIANTS] {
        r = row_of(name, m, LARGEST)
        if (!r) { continue }
        print sprintf("| %s | %s | %s | %s | %s | %s | %s |", name, \
            ms_or_wrong(kernel_ms_mean[r]), exact(total_ms_mean[r]), exact(cold_ms[r]), \
            exact(gb_per_s[r]), exact(percent_of_copy[r]), exact(speedup_kernel[r])) \
            .(FIRST ? sprintf(" %s |", exact(speedup_on_gpu(r))) : "") \
            .(seeds ? sprintf(" %s | %s |", \
                known(seed_ms_at(name, m, LARGEST)) \
                    ? sprintf("%.3f", seed_ms_at(name, m, LARGEST)) : "-", \
                exact(seed_speedup(name, m, LARGEST))) : "")
    }
    print ""
}
print MEANS." ".FACTS
unset print
