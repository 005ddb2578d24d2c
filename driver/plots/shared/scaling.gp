# Speedup and weak-scaling efficiency against the number of threads, with a copy's beside them.
do for [FIGURE in "scaling-strong scaling-weak"] {
    if (!has_data(FIGURE)) { continue }
    is_strong = FIGURE eq "scaling-strong"
    HEADING = heading(is_strong ? "Strong scaling: ".WORK \
        : "Weak scaling: as many rows for each thread as in ".WORK." with all threads")
    X_LABEL = "threads; bands: ".SPREAD."; gray: the other variants; dashed: a copy" \
        .(is_strong ? "; dotted: as many times as threads" : "")
    Y_LABEL = is_strong ? "speedup against one thread (times)" \
        : "time of one thread over time of all (%)"
    UNIT = is_strong ? "×" : " %"
    ideal(x) = is_strong ? x : 100
    set xrange [1 : larger(MOST, 2)]
    set xtics MOST > 8 ? MOST / 4 : 1
    set yrange [0 : (is_strong ? larger(MOST, 2) : 100) < *]
    load PANELS
}
