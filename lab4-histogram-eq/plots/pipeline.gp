do for [FIGURE in figures("pipeline")] {
    DATA = FIGURE.".tsv"
    PIECES = "pieces-".FIGURE
    STAGES = list_of(PIECES, "stage")
    COLOURS_ = list_of(PIECES, "colour")
    rows = words(all_of(FIGURE, "place"))
    set title heading((FIGURE eq "pipeline" ? "Report 004's program (".REPORT_VARIANT.")" \
        : "Each variant")." at ".LARGEST.": the time of a call by its stages")
    set xlabel "time from host to host, after the first call (ms); × is the speedup over ".BASELINE
    right_ = 1.4 * word(all_of(FIGURE, "right"), 1)
    set xrange [0 : right_]
    set yrange [rows + 0.6 : (known(BASELINE_MS) ? -0.6 : 0.4)]   # with room for the line's name
    set border 1
    set grid x noy
    set ytics scale 0
    HEIGHT = 192 + 26 * rows
    TITLES = list_of(PIECES, "name")." whole_call"
    load PLOTS."/key.gp"
    left_ = 7.2 * longest_word(all_of(FIGURE, "name")) + 22
    eval margins(left_)
    pixels(x) = (800. - MARGIN - left_) * x / right_
    meets(x) = covers(pixels(x) + 6, strcol("label"), pixels(BASELINE_MS))
    if (known(BASELINE_MS)) {
        set arrow from BASELINE_MS, -0.6 to BASELINE_MS, 0.5 back arrowstyle 1
        set label BASELINE_LABEL at first BASELINE_MS, first -0.1 left offset character 0.6, 0 \
            textcolor rgb TEXT
    }
    load BEGIN
    plot DATA using (meets(column("at")) ? NaN : BASELINE_MS):(column("place") - 0.5):(0):(1) \
            with vectors arrowstyle 1 notitle, \
        for [k=1:words(STAGES)] PIECES.".tsv" \
            using (0):(column("stage") == word(STAGES, k) ? column("place") : NaN):"start":"stop" \
            :(column("place") - 0.36):(column("place") + 0.36) with boxxyerror \
            linecolor rgb int(word(COLOURS_, k)) fillstyle solid 1 noborder title word(TITLES, k), \
        DATA using "whole":"place" with points pointtype 13 pointsize 0.7 linecolor rgb TEXT \
            title "whole call", \
        DATA using "at":"place":"label":ytic(strcol("name")) with labels left \
            offset character 1, 0 textcolor rgb TEXT notitle
    load END
}
