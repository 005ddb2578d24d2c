# Figure and table of the experiment `contention`: every variant on pictures of one size whose
# pixels have one level, two, some or all. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/equalizing.gp"

eval open_times("contention")

row_at(k, i) = row_of(word(VARIANTS, k), word(CASES, i))
curve_title(k) = kernel_name(word(VARIANTS, k))
eval series("kernel_ms_mean", numbers(words(VARIANTS)), numbers(words(CASES)))
if (DRAWN ne "") {
    HEIGHT = 580   # several decades, and many points in the lower ones
    eval open_series("contention", 3, 3)
    set title heading("Histogram equalization at ".size[1]." by distribution of the levels")
    set ylabel "time of the kernels (ms; bars: ".SPREAD.")"
    set xlabel "levels of the pixels (skewed: half of them have one level, a quarter the next, …)"
    eval value_axis
    eval category_axis(CASES)
    eval CATEGORIES_PLOT
    eval close_figure("contention")
}

# ---- Table --------------------------------------------------------------------------------------

eval define_least("fastest(v)", "kernel_ms_mean", "variant[r] eq v")
array slowness[ROWS]
do for [r=1:ROWS] { slowness[r] = -kernel_ms_mean[r] }
eval define_least("slowest(v)", "slowness", "variant[r] eq v")
ratio(v) = fastest(v) ? kernel_ms_mean[slowest(v)] / kernel_ms_mean[fastest(v)] : NaN

header = "| variant |"
rule = "| :-- |"
do for [c in CASES] {
    header = header.sprintf(" %s, ms |", c)
    rule = rule." --: |"
}
set print OUT_DIR."/contention.md"
print sprintf("**Time of the kernels at %s by distribution of the levels**\n", size[1])
print header." slowest | slowest over fastest |"
print rule." :-- | --: |"
do for [v in VARIANTS] {
    line = sprintf("| %s |", kernel_name(v))
    do for [c in CASES] { line = line.sprintf(" %s |", ms_or_wrong(kernel_at(v, c))) }
    print line.sprintf(" %s | %s |", slowest(v) ? case[slowest(v)] : "-", exact(ratio(v)))
}
print "\n".MEANS." ".FACTS
unset print
