# Figures and table of the experiment `omp_threads`: how many threads are best over pixels, the
# report 002's figure 10. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"

eval open_csv("omp_threads")
load HERE."/curves.gp"

array curve[ROWS]
do for [r=1:ROWS] { curve[r] = with_threads(r) }
eval distinct("CURVES", "curve")
eval number_curves
eval at_side("ms_at", "kernel_ms_mean")
eval at_side("speedup_at", "speedup_kernel")

eval series("kernel_ms_mean", ALL_CURVES, SIDES)
if (DRAWN ne "") {
    eval open_curves("omp-threads")
    eval linear_axis
    set title heading("Integral image by the definition: time with each number of threads")
    set ylabel "time of the kernel (ms)"
    eval CURVES_PLOT
    eval close_figure("omp-threads")
}

eval series("speedup_kernel", ALL_CURVES, SIDES)
if (DRAWN ne "") {
    eval open_curves("omp-threads-speedup")
    eval linear_axis
    set title heading("Integral image by the definition: speedup over seq_naive")
    set ylabel "speedup of the kernel (times)"
    set xlabel "side of the image (pixels)"
    set format y "%g×"
    eval CURVES_PLOT
    eval close_figure("omp-threads-speedup")
}

set print OUT_DIR."/omp-threads.md"
print sprintf("**Numbers of threads over pixels, at %s**\n", square(LARGEST))
print "| variant | kernel ms | speedup over seq_naive |"
print "| :-- | --: | --: |"
do for [k=1:words(CURVES)] {
    print sprintf("| %s | %s | %s |", word(CURVES, k), ms_or_wrong(ms_at(k, LARGEST)), \
        exact(speedup_at(k, LARGEST)))
}
print "\n".MEANS." ".FACTS
unset print
