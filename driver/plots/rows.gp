# A row for each variant, its name at the left and its value as a label. FIGURE.tsv has the columns
# figure, name, look, place, value, low, high, label; place is 1, 2, … from the top. Without a value
# only the label stands there. Before `load ROWS` a script may set KIND = "bars", for percentages
# (otherwise dots, on a log axis if wide), FROM and TO, values that the axis has to reach, and LINE
# for a line down the figure, which the labels interrupt.
if (has_data(FIGURE)) {
    DATA = FIGURE.".tsv"; LOOKS = list_of(FIGURE, "look")
    stats DATA using (larger(column("value"), column("high"))) name "TOP" nooutput
    stats DATA using "value" name "VALUE" nooutput
    if (!exists("VALUE_min")) { VALUE_min = NaN; TOP_max = NaN }   # all of them too noisy
    stats DATA using "place" name "PLACE" nooutput
    first_ = smaller(FROM, VALUE_min)
    last_ = larger(TO, TOP_max) > 0 ? larger(TO, TOP_max) : 1
    is_log = KIND eq "dots" && wide(first_, last_)
    if (is_log) { set logscale x 10 }
    left_ = is_log ? first_ / 1.5 : 0
    right_ = is_log ? last_ * (1.5 * last_ / first_) ** 0.35 : 1.35 * last_
    set xrange [left_ : right_]
    set yrange [PLACE_max + 0.6 : 0.4]
    set border 1
    unset key
    set grid x noy
    set ytics scale 0
    set format x FORMAT
    HEIGHT = 140 + XLABEL * 20 + 26 * PLACE_max
    margin_ = 7.2 * longest_word(all_of(FIGURE, "name")) + 22
    eval margins(margin_)
    # Labels stand right of the spread.
    label_x(x) = larger(x, 1.0001 * left_)
    pixels(x) = (800. - MARGIN - margin_) \
        * (is_log ? log(x / left_) / log(right_ / left_) : (x - left_) / (right_ - left_))
    meets(x) = covers(pixels(label_x(x)) + 8, strcol("label"), pixels(LINE))
    look(k) = word(LOOKS, k) + 0
    of_look(k, x) = column("look") == look(k) ? column(x) : NaN
    load BEGIN
    plot for [k=1:(known(LINE) ? 1 : 0)] DATA using \
            (meets(larger(column("value"), column("high"))) ? NaN : LINE) \
            :(column("place") - 0.5):(0):(1) with vectors arrowstyle 1, \
        for [k=1:(KIND eq "bars" ? words(LOOKS) : 0)] DATA \
            using (0):"place":(0):(of_look(k, "value")) \
            :(column("place") - 0.3):(column("place") + 0.3) \
            with boxxyerror linetype look(k) fillstyle solid 1 noborder, \
        for [k=1:words(LOOKS)] DATA using (of_look(k, "value")):"place":"low":"high" \
            with xerrorbars linetype (KIND eq "bars" ? BLACK : look(k)) dashtype 1 linewidth 1, \
        DATA using (label_x(larger(column("value"), column("high")))):"place":"label" \
            :ytic(strcol("name")) with labels left offset character 1.2, 0 textcolor rgb TEXT
    load END
}
