# Figure and table of the experiment `omp_levels`: OpenMP over pixels, inside each pixel's sum, or
# both, report 002's figure 9. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"

eval open_csv("omp_levels")
load HERE."/curves.gp"

array curve[ROWS]
do for [r=1:ROWS] { curve[r] = with_threads(r) }
eval distinct("CURVES", "curve")
eval number_curves
eval at_side("ms_at", "kernel_ms_mean")
eval at_side("speedup_at", "speedup_kernel")

eval series("kernel_ms_mean", ALL_CURVES, SIDES)
if (DRAWN ne "") {
    eval open_curves("omp-levels")
    set title heading("Integral image by the definition: which loops are divided among threads")
    set ylabel "time of the kernel (ms)"
    eval CURVES_PLOT
    eval close_figure("omp-levels")
}

# The table is of the largest side that all curves have: nested regions end early.
SHARED = LARGEST
do for [side in SIDES] {
    missing = sum [k=1:words(CURVES)] (known(ms_at(k, side + 0)) ? 0 : 1)
    if (missing == 0) { SHARED = side + 0 }
}
set print OUT_DIR."/omp-levels.md"
print sprintf("**Threads over pixels, inside each sum, or both, at %s**\n", square(SHARED))
print "| variant | kernel ms | speedup over seq_naive |"
print "| :-- | --: | --: |"
do for [k=1:words(CURVES)] {
    print sprintf("| %s | %s | %s |", word(CURVES, k), ms_or_wrong(ms_at(k, SHARED)), \
        exact(speedup_at(k, SHARED)))
}
print "\nOf two numbers of threads, the first divide the pixels among them, and each of these " \
    ."has the second number for its sums. ".MEANS." ".FACTS
unset print
