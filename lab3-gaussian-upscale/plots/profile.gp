FIGURE = "profile"
if (has_data(FIGURE)) {
    DATA = FIGURE.".tsv"
    TITLES = list_of(FIGURE, "title")
    PLACES = list_of(FIGURE, "place")
    COLOURS_OF_BARS = sprintf("%d %d %d", DARK, LIGHT, 0xb5532a)
    stats DATA using "value" nooutput
    BELOW = 4
    HEIGHT = 150 + 16 * (words(TITLES) + 0.6) * words(PLACES)
    set yrange [words(PLACES) + 0.6 : 0.4]
    set border 1
    set grid x noy
    set ytics scale 0
    load PLOTS."/key.gp"
    set key at screen 0.5, 0.02 center bottom   # below the names, too, or it would be cut off
    set title heading("Upscaling by 2: how busy each kernel keeps the GPU, by Nsight Compute")
    set xlabel "use (% of the most that the GPU can do)"
    set xrange [0 : 1.08 * larger(100, STATS_max)]
    of_bar(k, x) = strcol("title") eq word(TITLES, k) ? x : NaN
    load BEGIN
    plot for [k=1:words(TITLES)] DATA using (0):"place":(0):(of_bar(k, column("value"))):"top" \
            :"bottom":ytic(strcol("name")) with boxxyerror fillstyle solid 1 noborder \
            linecolor rgb (word(COLOURS_OF_BARS, k) + 0) title word(TITLES, k), \
        DATA using "value":(0.5 * (column("top") + column("bottom"))):"label" with labels left \
            offset character 0.5, 0 textcolor rgb TEXT notitle
    load END
}
