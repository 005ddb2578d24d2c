# A staircase for the CPU and one for the GPU, from the first rung at the bottom to the fastest at
# the top. Each step has its name and its idea above it. The copy and libraries are lines down the
# steps, which the texts interrupt. Each line begins beside its name; the leftmost name is on top,
# so that no line crosses a name.
do for [FIGURE in figures("staircase-")] {
    DATA = FIGURE.".tsv"; LOOKS = list_of(FIGURE, "look")
    LINED = "lines-".FIGURE[strlen("staircase-") + 1:*]
    NAMES = all_of(LINED, "name"); VALUES = all_of(LINED, "value")
    stats DATA using "place" name "PLACE" nooutput
    set title heading("From the first rung to the fastest: ".word(list_of(FIGURE, "problem"), 1))
    set xlabel "data rate (% of a copy of as many bytes on the same memory)"
    SPACE = 0.6 * words(NAMES)   # for the names, above the last step
    HEIGHT = 170 + 38 * (PLACE_max + SPACE)
    last_ = word(list_of(FIGURE, "end_of_axis"), 1) + 0
    set xrange [0 : last_]
    set yrange [0.5 : PLACE_max + 0.7 + SPACE]
    set border 1
    unset key
    unset ytics
    set grid x noy
    eval margins(22)
    pixels(x) = (800. - MARGIN - 22) * x / last_
    name_at(i) = PLACE_max + 0.4 + 0.6 * (words(NAMES) - i + 1)
    do for [i=1:words(NAMES)] {
        x = word(VALUES, i) + 0
        set arrow from x, PLACE_max + 0.5 to x, name_at(i) + 0.2 back arrowstyle 1
        set label i word(NAMES, i) at x, name_at(i) offset character 0.5, 0 left textcolor rgb TEXT
        if (pixels(x) + 7 + width_of(word(NAMES, i)) > pixels(last_)) {
            set label i right offset character -0.5, 0
        }
    }
    idea(x) = strcol("name").": ".strcol("idea")
    end_of_bar(x) = larger(column("value"), 0)
    line(i, text, left) = covers(left, text, pixels(word(VALUES, i))) ? NaN : word(VALUES, i) + 0
    load BEGIN
    plot for [i=1:words(NAMES)] DATA using (line(i, idea(0), 3)):(column("place") + 0.1):(0):(0.4) \
            with vectors arrowstyle 1, \
        for [i=1:words(NAMES)] DATA using \
            (line(i, strcol("label"), pixels(end_of_bar(0)) + 4)) \
            :(column("place") - 0.5):(0):(0.6) with vectors arrowstyle 1, \
        for [k=1:words(LOOKS)] DATA using (0):"place":(0) \
            :(column("look") == word(LOOKS, k) + 0 ? column("value") : NaN) \
            :(column("place") - 0.32):(column("place") + 0.08) \
            with boxxyerror linetype word(LOOKS, k) + 0 fillstyle solid 1 noborder, \
        DATA using (0):(column("place") + 0.3):(idea(0)) \
            with labels left offset character 0.3, 0 textcolor rgb TEXT, \
        DATA using (end_of_bar(0)):(column("place") - 0.12):"label" \
            with labels left offset character 0.5, 0 textcolor rgb TEXT
    load END
}
