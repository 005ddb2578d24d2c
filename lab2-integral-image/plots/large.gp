do for [FIGURE in "large large-64"] {
    if (!has_data(FIGURE)) { continue }
    stats FIGURE.".tsv" using "x" name "SIDE" nooutput
    Y_AXIS = "own"
    # The axis reaches beyond the line at 100.
    set yrange [0 : 112 < * < 100000]
    set logscale x 2
    set xrange [SIDE_min / 1.15 : SIDE_max * 1.15]
    set title heading("Integral image with ".(FIGURE eq "large" ? "32" : "64") \
        ."-bit sums: how near to a copy")
    set ylabel "data rate (% of a copy of as many bytes)"
    set xlabel "side of the image (pixels); the copy is the device's own," \
        ." on the CPU the host's, with as many threads"
    eval COPY_ACROSS
    load LINES
}

FIGURE = "large-time"
set logscale x 2
set xrange [SMALLEST / 1.15 : LARGEST * 1.15]
set title heading("Integral image with 32-bit sums: time against size")
set ylabel "time of the kernel (ms)"
set xlabel "side of the image (pixels); bands: ".SPREAD
load LINES
