# Figure and table of the experiment `comparison`: report 002's sequential loop and its best
# parallel ones (its figure 11), beside scans, whose work grows with the pixels only, and libraries.
# Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"

eval open_csv("comparison")
load HERE."/curves.gp"

array curve[ROWS]
do for [r=1:ROWS] {
    curve[r] = with_threads(r).(known(block_width[r]) ? ", ".block_of(r) : "")
}
eval distinct("CURVES", "curve")
eval number_curves
eval at_side("ms_at", "kernel_ms_mean")

eval series("kernel_ms_mean", ALL_CURVES, SIDES)
if (DRAWN ne "") {
    HEIGHT = 600   # seven decades, and many curves in the lower ones
    eval open_curves("comparison")
    set title heading("Integral image: time against size")
    set ylabel "time of the kernel (ms)"
    eval CURVES_PLOT
    eval close_figure("comparison")
}

# All rows have the same pixels, so that the largest pixel tells nothing.
settings(p) = (at_ = strstrt(p, ";"), at_ == 0 ? "-" : replaced(p[at_+1:*], ";", ", "))
eval at_side("total_at", "total_ms_mean")
eval at_side("speedup_at", "speedup_kernel")
eval at_side("total_speedup_at", "speedup_total")
eval define_least("row_of(k)", "width", "curve_id[r] == k")

set print OUT_DIR."/comparison.md"
print sprintf("**All variants at %s**\n", square(LARGEST))
print "| variant | parameters | kernel ms | total ms | speedup kernel | speedup total |"
print "| :-- | :-- | --: | --: | --: | --: |"
do for [k=1:words(CURVES)] {
    r = row_of(k)
    print sprintf("| %s | %s | %s | %s | %s | %s |", variant[r], settings(parameters[r]), \
        ms_or_wrong(ms_at(k, LARGEST)), exact(total_at(k, LARGEST)), \
        exact(speedup_at(k, LARGEST)), exact(total_speedup_at(k, LARGEST)))
}
print "\nSpeedups are over the first row. ".MEANS." ".FACTS
unset print
