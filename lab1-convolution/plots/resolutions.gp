do for [FIGURE in figures("speedup-")] {
    SIZE = FIGURE[strlen("speedup-")+1:*]
    LEVELS = "levels-".SIZE
    NAMES = all_of(LEVELS, "label"); LABELS_AT = all_of(LEVELS, "label_at")
    AT = all_of(LEVELS, "at"); LEVEL_LOOKS = all_of(LEVELS, "look")
    set title heading("Convolution at ".SIZE.": speedup over seq, ".MEAN_OF_FILTERS)
    set xlabel "threads per block (its width × height, in pixels)"
    set ylabel "speedup of the kernel (times)"
    set format y "%g×"
    set logscale x 2
    set xrange [X_LOW / 1.3 : X_HIGH * 1.3]
    Y_AXIS = "own"
    if (word(list_of(LEVELS, "wide"), 1) + 0) { set logscale y 10 }
    set yrange [word(list_of(LEVELS, "bottom"), 1) : word(list_of(LEVELS, "top"), 1)]
    RIGHT = longest_word(NAMES) + 3
    do for [k=1:words(NAMES)] {
        if (word(AT, k) >= 0) {
            set arrow from graph 0, graph word(AT, k) to graph 1, graph word(AT, k) nohead back \
                linetype word(LEVEL_LOOKS, k) dashtype (7,4) linewidth 1.3
        }
        set label word(NAMES, k) at graph 1.02, graph word(LABELS_AT, k) left textcolor @TEXT
    }
    load LINES
}

FIGURE = "mean-speedup"
set title heading("Convolution: mean speedup over seq (".ALL_RUNS.")")
set xlabel "speedup of the kernel (times); dashed: copy limit"
FORMAT = "%g×"
TO = COPY_SPEEDUP
if (known(TO)) { eval line_down(TO) }
load ROWS

FIGURE = "mean-time"
set title heading("Convolution: mean time (".ALL_RUNS.")")
set xlabel "time (ms): kernel, and ○ host to host; dashed: a copy on the GPU"
FROM = COPY_MS
if (known(FROM)) { eval line_down(FROM) }
load ROWS

FIGURE = "filters"
HEIGHT = 560
set title heading("Convolution at ".LARGEST.": time of every filter, with the best block")
set xlabel "filter; bars: ".SPREAD
set ylabel "time of the kernel (ms)"
load DOTS
