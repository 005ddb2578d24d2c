# Figure and tables of the experiment `profile`: what Nsight Compute says of every kernel, beside
# report 003's comparison of its four. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/upscaling.gp"

# The profiler's CSV has columns of its own, so open_csv cannot read it.
eval open_other("profile", CSV_DIR."/profile.csv")
if (!profile_ROWS) {
    printerr profile_CSV.": no rows, nothing drawn"
    exit
}
do for [column in "variant kernel gpu commit timestamp"] { eval other_text("profile", column) }
# report 003's table, in its order: the columns, and what each is called.
METRICS = "memory_percent compute_percent dram_gb_per_s l1_hit_percent sectors_per_request" \
    ." occupancy_percent registers stall_long_scoreboard duration_ms"
METRIC_NAMES = '"memory, %" "compute, %" "DRAM, GB/s" "L1 hits, %" "sectors per request"' \
    .' "achieved occupancy, %" "registers per thread" "stall, long scoreboard" "duration, ms"'
do for [column in METRICS] { eval other_number("profile", column) }
eval open_other("report", HERE."/report_profile.csv")
eval other_text("report", "variant")
do for [column in METRICS." speedup"] { eval other_text("report", column) }   # as it prints them

VARIANTS = ""
do for [r=1:profile_ROWS] { VARIANTS = with_word(VARIANTS, profile_variant[r]) }
REPORT_VARIANTS = ""
do for [r=1:report_ROWS] { REPORT_VARIANTS = with_word(REPORT_VARIANTS, report_variant[r]) }
report_row(v) = sum [r=1:report_ROWS] (report_variant[r] eq v ? r : 0)
kernels_of(v) = sum [r=1:profile_ROWS] (profile_variant[r] eq v)
total_ms(v) = sum [r=1:profile_ROWS] (profile_variant[r] eq v ? profile_duration_ms[r] : 0.)
# The kernel in which the variant spends most of its time: the row, or 0.
main_kernel(v) = (row_ = 0, sum [r=1:profile_ROWS] (profile_variant[r] eq v && (!row_ \
    || profile_duration_ms[r] > profile_duration_ms[row_ ? row_ : 1]) ? (row_ = r, 0) : 0), row_)
speedup(v) = quotient(total_ms(word(VARIANTS, 1)), total_ms(v))

# ---- Figure -------------------------------------------------------------------------------------

# The rate of a large copy is in the data of `roofline`, if that was measured too; without it, there
# is no third bar.
eval open_other("roofline", CSV_DIR."/roofline.csv")
eval other_number("roofline", "ceiling_gb_per_s")
eval other_text("roofline", "parameters")
of_gpu(r) = strstrt(roofline_parameters[r], "threads=") == 0
copy_rate = quotient((sum [r=1:roofline_ROWS] (of_gpu(r) ? roofline_ceiling_gb_per_s[r] : 0.)), \
    (sum [r=1:roofline_ROWS] (of_gpu(r))))
copy_percent(r) = 100 * profile_dram_gb_per_s[r] / copy_rate

# A group of bars for each kernel, named after its variant.
BARS = "memory compute dram"
bar_title(k) = k == 1 ? "memory" : k == 2 ? "compute" : "DRAM, % of a copy"
bar_colour(k) = k == 1 ? DARK : k == 2 ? LIGHT : 0xb5532a
bars = known(copy_rate) ? 3 : 2
high = 100
set print $GROUPS
print "place,memory,compute,dram,name"
do for [r=1:profile_ROWS] {
    v = profile_variant[r]
    high = larger(larger(profile_memory_percent[r], profile_compute_percent[r]), high)
    high = larger(copy_percent(r), high)
    print sprintf('%d,%g,%g,%g,"%s"', r, profile_memory_percent[r], profile_compute_percent[r], \
        copy_percent(r), kernels_of(v) == 1 ? v : v.": ".profile_kernel[r])
}
unset print

THICK = 0.84 / bars
edge(k) = column("place") - 0.42 + (k - 1) * THICK
value_of(k) = column(word(BARS, k))
HEIGHT = 130 + 16 * (bars + 0.6) * profile_ROWS
eval open_figure("profile")
set yrange [profile_ROWS + 0.6 : 0.4]
set border 1
set grid x noy
set ytics scale 0
eval key_below(bars, 17, 3, 3)
set key at screen 0.5, 0.02 center bottom   # below the names, too, or it would be cut off
set title "Upscaling by 2: how busy each kernel keeps the GPU, by Nsight Compute\n" \
    .plain(profile_gpu[1])
set xlabel "use (% of the most that the GPU can do)"
set xrange [0 : 1.08 * high]
plot for [k=1:bars] $GROUPS using (0):"place":(0):(value_of(k)):(edge(k)):(edge(k + 1)) \
         :ytic(strcol("name")) \
         with boxxyerror linecolor rgb bar_colour(k) fillstyle solid 1 noborder \
         title bar_title(k), \
     for [k=1:bars] "" using (value_of(k)):(edge(k + 0.5)):(digits(value_of(k))) \
         with labels left offset character 0.5, 0 textcolor @TEXT notitle
eval close_figure("profile")

# ---- Tables -------------------------------------------------------------------------------------

# Report 003's comparison, its rows and columns, with our kernels of the same names. Of a variant
# that is several kernels it is the main one, and then the time of all.
OURS = ""
do for [v in REPORT_VARIANTS] { if (main_kernel(v)) { OURS = with_word(OURS, v) } }
FIRST = word(VARIANTS, 1)
metric_text(name, x) = name eq "registers" && known(x) ? sprintf("%d", x) : exact(x)

set print OUT_DIR."/profile.md"
if (OURS ne "") {
    header = "| |"
    rule = "| :-- |"
    do for [v in OURS] {
        header = header.sprintf(" report 003's %s | %s%s |", v, v, \
            kernels_of(v) == 1 ? "" : sprintf(" (%s)", profile_kernel[main_kernel(v)]))
        rule = rule." --: | --: |"
    }
    print sprintf("**Report 003's comparison (%s) and ours**\n", REPORT_MACHINE)
    print header
    print rule
    do for [k=1:words(METRICS)] {
        line = sprintf("| %s |", word(METRIC_NAMES, k))
        do for [v in OURS] {
            eval sprintf("cell = report_%s[report_row(v)]", word(METRICS, k))
            eval sprintf("x = profile_%s[main_kernel(v)]", word(METRICS, k))
            line = line.sprintf(" %s | %s |", cell, metric_text(word(METRICS, k), x))
        }
        print line
    }
    all_kernels = "| all its kernels, ms |"
    speedups = "| speedup |"
    do for [v in OURS] {
        all_kernels = all_kernels.sprintf(" - | %s |", exact(total_ms(v)))
        speedups = speedups.sprintf(" %s | %s |", report_speedup[report_row(v)], exact(speedup(v)))
    }
    print all_kernels
    print speedups
    print ""
}

header = "| variant | kernel |"
rule = "| :-- | :-- |"
do for [k=1:words(METRICS)] {
    header = header.sprintf(" %s |", word(METRIC_NAMES, k))
    rule = rule." --: |"
}
print "**All kernels**\n"
print header." speedup |"
print rule." --: |"
do for [r=1:profile_ROWS] {
    v = profile_variant[r]
    line = sprintf("| %s | %s |", v, profile_kernel[r])
    do for [column in METRICS] {
        eval sprintf("x = profile_%s[r]", column)
        line = line." ".metric_text(column, x)." |"
    }
    # The speedup is that of the variant, and stands beside the kernel that most of its time is.
    print line." ".(r == main_kernel(v) ? exact(speedup(v)) : "-")." |"
}
print sprintf("\nSpeedups are over %s, by the time of all kernels of the variant under the" \
    ." profiler. Measured on GPU: %s; commit: %s; date: %s.", FIRST, \
    profile_gpu[1], profile_commit[1], profile_timestamp[1][1:10])
unset print
