# The lab's constant_memory.gp has set WHAT, for the title, NUMBERS, what is in constant memory, and
# COUNT_LABEL.
FIGURE = "constant-memory"
if (has_data(FIGURE)) {
    stats FIGURE.".tsv" using "low":"high" nooutput
    set title heading(WHAT." at ".SIZE.": the ".NUMBERS." in three places")
    set xlabel COUNT_LABEL.", bands: ".SPREAD
    set ylabel "time of the kernel, with the copy to the symbol" \
        ."\n(times that with a kernel parameter)"
    COUNTS = list_of(FIGURE, "x")
    set xtics ()
    do for [n in COUNTS] { set xtics add (sprintf("%g", n + 0) n + 0) }
    set xrange [word(COUNTS, 1) - 0.5 : word(COUNTS, words(COUNTS)) + 0.5]
    set yrange [smaller(0.9, STATS_min_x - 0.05) : larger(1.1, STATS_max_y + 0.05)]
    Y_AXIS = "own"
    load LINES
}
