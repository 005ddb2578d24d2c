# Speedup and weak-scaling efficiency against the number of threads, with a copy's beside them.
FIGURE = "scaling-strong"
HEIGHT = 560
if (has_data(FIGURE)) {
    set title heading("Strong scaling: ".WORK)
    set xlabel "threads; bands: ".SPREAD
    set ylabel "speedup against one thread (times)"
    set xrange [1 : larger(MOST, 2)]
    if (MOST <= 16) { set xtics 1 }
    set arrow from 1, 1 to larger(MOST, 2), larger(MOST, 2) nohead back \
        linecolor rgb TEXT dashtype (2,4) linewidth 1
    set label "as many times as threads" at larger(MOST, 2), larger(MOST, 2) right \
        offset character -5, -1 textcolor rgb TEXT
    Y_AXIS = "own"
    set yrange [0 : larger(MOST, 2) < *]
    load LINES
}
FIGURE = "scaling-weak"
if (has_data(FIGURE)) {
    set title heading("Weak scaling: as many rows for each thread as in ".WORK." with all threads")
    set xlabel "threads; bands: ".SPREAD
    set ylabel "efficiency: time of one thread over time of all (%)"
    set xrange [1 : larger(MOST, 2)]
    if (MOST <= 16) { set xtics 1 }
    Y_AXIS = "own"
    set yrange [0 : *]
    load LINES
}
