# Pixels per ns of omp_best against the width of the image.
FIGURE = "widths"
if (has_data(FIGURE)) {
    set title heading("Every width: images of ".HEIGHT_OF_ALL." rows")
    set xlabel "width (pixels); bands: ".SPREAD
    set ylabel "input pixels per nanosecond"
    set xtics 1024
    Y_AXIS = "own"
    set yrange [0 : *]
    load LINES
}
