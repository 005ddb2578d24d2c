# A figure for each size: speedup against threads per block. Variants without blocks are level lines
# with their names at the right; see resolutions.sql. resolutions.gp loads this.

do for [FIGURE in figures("speedup-")] {
    SIZE = FIGURE[strlen("speedup-")+1:*]
    level(column) = all_of("levels-".SIZE, column)
    NAMES = level("label"); LABELS_AT = level("label_at"); AT = level("at"); LINES_ = level("look")
    set title heading("Convolution at ".SIZE.": speedup over seq, ".MEAN_OF_FILTERS)
    set xlabel "threads per block (its width × height, in pixels)"
    set ylabel "speedup of the kernel (times)"
    set format y "%g×"
    set logscale x 2
    set xrange [X_LOW / 1.3 : X_HIGH * 1.3]
    Y_AXIS = "own"
    if (word(level("wide"), 1) + 0) { set logscale y 10 }
    set yrange [word(level("bottom"), 1) : word(level("top"), 1)]
    RIGHT = longest_word(NAMES) + 3
    do for [k=1:words(NAMES)] {
        if (word(AT, k) >= 0) {
            set arrow from graph 0, graph word(AT, k) to graph 1, graph word(AT, k) nohead back \
                linetype word(LINES_, k) dashtype (7,4) linewidth 1.3
        }
        set label word(NAMES, k) at graph 1.02, graph word(LABELS_AT, k) left textcolor rgb TEXT
    }
    load LINES
}
