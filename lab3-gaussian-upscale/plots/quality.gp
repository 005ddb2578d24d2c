do for [measure in "psnr ssim"] {
    FIGURE = "quality-".measure
    AXIS = "axis-".measure
    LEVELS = "levels-".measure
    if (!has_data(FIGURE)) { continue }
    of_axis(column) = word(list_of(AXIS, column), 1) + 0
    set title heading("Upscaling by 2: quality against sigma, ".PICTURES)
    set xlabel "sigma of the Gaussian (pixels of the input)"
    set ylabel measure eq "psnr" ? "PSNR of all pictures together (dB)" : "mean SSIM"
    set yrange [of_axis("bottom") : of_axis("top")]
    unset key
    NAMES = all_of(LEVELS, "label"); AT = all_of(LEVELS, "at")
    LABELS_AT = all_of(LEVELS, "label_at"); LOOKS = all_of(LEVELS, "look")
    set rmargin longest_word(NAMES)
    do for [k=1:words(NAMES)] {
        set arrow from graph 0, graph word(AT, k) to graph 1, graph word(AT, k) nohead back \
            linetype word(LOOKS, k) linewidth 1.5
        set arrow from graph 1, graph word(AT, k) to graph 1.02, graph word(LABELS_AT, k) nohead \
            linecolor rgb FAINT linewidth 0.7
        set label word(NAMES, k) at graph 1.025, graph word(LABELS_AT, k) left textcolor rgb TEXT
    }
    # The name of the best sigma stands below the curve, where it meets neither that nor a level.
    set arrow from first of_axis("best"), graph 0 to first of_axis("best"), first of_axis("value") \
        nohead back linecolor rgb TEXT dashtype (3,3) linewidth 1
    set label 1000 word(list_of(AXIS, "label"), 1) at first of_axis("best"), graph 0.065 \
        offset character (of_axis("on_right") ? -1 : 1), 0 textcolor rgb TEXT
    if (of_axis("on_right")) { set label 1000 right }   # a side cannot be an expression
    load BEGIN
    plot FIGURE.".tsv" using "sigma":"value" with linespoints linetype 1
    load END
}
load LAB."/plots/quality_pictures.gp"
