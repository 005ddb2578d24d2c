do for [FIGURE in figures("pipeline")] {
    DATA = FIGURE.".tsv"
    PIECES = "pieces-".FIGURE
    STAGES = list_of(PIECES, "stage")
    COLOURS_ = list_of(PIECES, "colour")
    rows = words(all_of(FIGURE, "place"))
    set title heading("From host to host, ".LARGEST.", ".(FIGURE eq "pipeline" \
        ? "report 004's program and what became of it" : "calls after the first"))
    set xlabel "time from host to host (ms); × is the speedup over ".BASELINE
    set xrange [0 : 1.32 * word(all_of(FIGURE, "right"), 1)]
    set yrange [rows + 0.6 : -0.6]   # with room for the name of the line above the bars
    set border 1
    set grid x noy
    set ytics scale 0
    HEIGHT = 192 + 26 * rows
    TITLES = list_of(PIECES, "name")." whole_call"
    load PLOTS."/key.gp"
    set key maxcols 3
    if (known(BASELINE_MS)) {
        eval line_down(BASELINE_MS)
        set label BASELINE_LABEL at first BASELINE_MS, first -0.1 left offset character 0.6, 0 \
            textcolor rgb TEXT
    }
    load BEGIN
    plot for [k=1:words(STAGES)] PIECES.".tsv" \
            using (0):(column("stage") == word(STAGES, k) ? column("place") : NaN):"start":"stop" \
            :(column("place") - 0.36):(column("place") + 0.36) with boxxyerror \
            linecolor rgb int(word(COLOURS_, k)) fillstyle solid 1 noborder title word(TITLES, k), \
        DATA using "whole":"place" with points pointtype 13 pointsize 0.7 linecolor rgb TEXT \
            title "whole call", \
        DATA using "at":"place":"label":ytic(strcol("name")) with labels left \
            offset character 1, 0 textcolor rgb TEXT notitle
    load END
}
