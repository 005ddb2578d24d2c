# A staircase for the CPU and one for the GPU, from the first rung at the bottom to the fastest at the
# top. Each step has its name and its idea above it; libraries are lines across the steps.
do for [FIGURE in figures("staircase-")] {
    DATA = FIGURE.".tsv"; LOOKS = list_of(FIGURE, "look")
    LIBRARIES = "libraries-".FIGURE[strlen("staircase-") + 1:*]
    stats DATA using "place" name "PLACE" nooutput
    set title heading("From the first rung to the fastest: ".word(list_of(FIGURE, "problem"), 1))
    set xlabel "data rate (% of a copy of as many bytes on the same memory)"
    NAMES = has_data(LIBRARIES) ? all_of(LIBRARIES, "name") : ""
    SPACE = words(NAMES) > 1 ? 0.6 * (words(NAMES) - 1) : 0 # for their names, above the last step
    HEIGHT = 170 + 38 * (PLACE_max + SPACE)
    set xrange [0 : word(list_of(FIGURE, "end_of_axis"), 1) + 0]
    set yrange [0.5 : PLACE_max + 1.7 + SPACE]
    set border 1
    unset key
    unset ytics
    set grid x noy
    eval COPY_DOWN
    if (has_data(LIBRARIES)) {
        VALUES = all_of(LIBRARIES, "value")
        do for [i=1:words(NAMES)] {
            eval line_down(word(VALUES, i) + 0)
            set label word(NAMES, i) at first word(VALUES, i) + 0, graph 1 \
                left offset character 0.5, 0.4 - 1.1 * i textcolor rgb TEXT
        }
    }
    load BEGIN
    plot for [k=1:words(LOOKS)] DATA using (0):"place":(0) \
            :(column("look") == word(LOOKS, k) + 0 ? column("value") : NaN) \
            :(column("place") - 0.32):(column("place") + 0.08) \
            with boxxyerror linetype word(LOOKS, k) + 0 fillstyle solid 1 noborder, \
        DATA using (0):(column("place") + 0.3):(strcol("name").": ".strcol("idea")) \
            with labels left offset character 0.3, 0 textcolor rgb TEXT, \
        DATA using (larger(column("value"), 0)):(column("place") - 0.12):"label" \
            with labels left offset character 0.5, 0 textcolor rgb TEXT
    load END
}
