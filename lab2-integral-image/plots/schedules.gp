FIGURE = "schedules"
HEIGHT = 560
if (has_data(FIGURE)) {
    set title heading("Integral image by the definition, ".WORK.": four schedules")
    set xlabel "threads; bands: ".SPREAD
    set ylabel "speedup against one thread (times)"
    set xrange [1 : larger(MOST, 2)]
    if (MOST <= 16) { set xtics 1 }
    Y_AXIS = "own"
    set yrange [0 : *]
    load LINES
}
