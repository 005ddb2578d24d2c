# roofline.gp loads this: each of report 003's kernels.
do for [PLOT in "naive constant shared uchar4"] {
    FIGURE = "roofline-".PLOT
    DATA = FIGURE.".tsv"
    if (!has_data(FIGURE)) { continue }
    HEIGHT = 460
    WIDE = 680.; HIGH = HEIGHT - 180.
    load LAB."/plots/roofs.gp"
    set xlabel "arithmetic intensity (FLOP/byte)"
    set label axis("note")."\n".axis("busy") at graph 0.98, graph 0.16 right textcolor rgb TEXT
    RATE = word(all_of(FIGURE, "y"), 1) + 0
    set arrow from X_LOW, RATE to X_HIGH, RATE nohead back linecolor rgb FAINT linewidth 0.7
    TITLES = list_of(FIGURE, "title")
    load PLOTS."/key.gp"
    load BEGIN
    plot for [k=1:words(TITLES)] DATA every ::k-1::k-1 using "x":"y" \
        with points linetype k + 1 pointsize 1.4 title word(TITLES, k)
    load END
}
