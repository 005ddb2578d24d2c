# A size is named by its megapixels and, below, what report 003 called it.
MEGAPIXELS = list_of("sizes", "megapixels")
NUMBERS = all_of("sizes", "number")
DATASETS = all_of("sizes", "dataset")
do for [FIGURE in "datasets datasets-copy"] {
    HEIGHT = 580   # several decades, and many lines in the lower ones
    BELOW = 4
    set title heading("Upscaling by 2, ".METHOD.": " \
        .(FIGURE eq "datasets" ? "time against size" : "how near to a copy"))
    set ylabel FIGURE eq "datasets" ? "time of the kernel (ms)" \
        : "data rate (% of a copy of as many bytes)"
    set xlabel "megapixels of the input, and its name in report 003; bands: ".SPREAD offset 0, -1
    set logscale x 10
    set xrange [word(MEGAPIXELS, 1) / 1.3 : word(MEGAPIXELS, words(MEGAPIXELS)) * 1.3]
    set xtics scale 0 ()
    do for [i=1:words(MEGAPIXELS)] {
        set xtics add (word(NUMBERS, i)."\n".word(DATASETS, i) word(MEGAPIXELS, i) + 0)
    }
    if (FIGURE eq "datasets-copy") {
        Y_AXIS = "own"
        set yrange [0 : 112 < * < 100000]
        eval COPY_ACROSS
    }
    load LINES
}
