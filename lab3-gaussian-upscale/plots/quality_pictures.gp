# quality.gp loads this: how well each method does with each picture.
FIGURE = "quality-pictures"
if (has_data(FIGURE)) {
    TITLES = list_of(FIGURE, "title")
    NAMES = list_of(FIGURE, "picture")
    HEIGHT = 150 + larger(40, 13 * words(TITLES)) * words(NAMES)
    set title heading("Upscaling by 2: quality of every picture")
    set xlabel "PSNR (dB)"
    set xrange [X_LOW : X_HIGH]
    set yrange [words(NAMES) + 0.5 : 0.5]
    set grid x noy
    set ytics scale 0 ()
    do for [i=1:words(NAMES)] {
        set ytics add (word(NAMES, i) i)
        if (i > 1) {
            set arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead back \
                linecolor rgb FAINT linewidth 0.6
        }
    }
    set xtics FIRST, STEP, LAST
    if (known(EXACT_AT)) { set xtics add ("∞" EXACT_AT) }
    load PLOTS."/key.gp"
    load BEGIN
    plot for [k=1:words(TITLES)] FIGURE.".tsv" \
        using (column("k") == k ? column("db") : NaN):"place" \
        with points linetype k title word(TITLES, k)
    load END
}
