# Points are named at the right, in the order of their heights.
do for [PLOT in "gpu cpu"] {
    FIGURE = "roofline-".PLOT
    DATA = FIGURE.".tsv"
    if (!has_data(FIGURE)) { continue }
    points(column) = all_of(FIGURE, column)
    HEIGHT = 540
    longest = longest_word(points("label"))
    WIDE = 800 - 7. * (longest + 2) - 75; HIGH = HEIGHT - 115.
    load LAB."/plots/roofs.gp"
    set xlabel "arithmetic intensity (FLOP per byte of input and output, each byte once)"
    set rmargin longest + 2
    unset key
    set label "variant, GFLOP/s" at graph 1.025, graph 1.03 left textcolor rgb TEXT
    do for [k=1:words(points("x"))] {
        set arrow from word(points("x"), k) + 0, word(points("y"), k) + 0 \
            to graph 1.02, graph word(points("label_at"), k) nohead back linecolor rgb FAINT \
            linewidth 0.7
        set label word(points("label"), k) at graph 1.025, graph word(points("label_at"), k) left \
            textcolor rgb TEXT
    }
    load BEGIN
    plot for [k=1:words(points("x"))] DATA every ::k-1::k-1 using "x":"y" \
        with points linetype word(points("look"), k) + 0 pointsize 1.2
    load END
}
load LAB."/plots/roofline_kernels.gp"
