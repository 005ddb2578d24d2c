# A row for each variant, its name at the left and its value as a label. FIGURE.tsv has the columns
# figure, name, look, place, value, low, high, label; place is 1, 2, … from the top. Without a value
# only the label stands there. Before `load ROWS` a script may set KIND = "bars", for percentages
# (otherwise dots, on a log axis if wide), and FROM and TO, values that the axis has to reach.
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
    set xrange [left_ : (is_log ? last_ * (1.5 * last_ / first_) ** 0.35 : 1.35 * last_)]
    set yrange [PLACE_max + 0.6 : 0.4]
    set border 1
    unset key
    set grid x noy
    set ytics scale 0
    set format x FORMAT
    HEIGHT = 140 + 26 * PLACE_max
    # Labels stand right of the spread, and those of bars not across the line at 100 %.
    clear_of(x) = KIND eq "bars" && x < 100 && x + 0.31 * last_ > 100 ? 100 : x
    label_x(x) = clear_of(larger(x, 1.0001 * left_))
    look(k) = word(LOOKS, k) + 0
    of_look(k, x) = column("look") == look(k) ? column(x) : NaN
    load BEGIN
    plot for [k=1:(KIND eq "bars" ? words(LOOKS) : 0)] DATA \
            using (0):"place":(0):(of_look(k, "value")) \
            :(column("place") - 0.3):(column("place") + 0.3) \
            with boxxyerror linetype look(k) fillstyle solid 1 noborder, \
        for [k=1:words(LOOKS)] DATA using (of_look(k, "value")):"place":"low":"high" \
            with xerrorbars linetype (KIND eq "bars" ? BLACK : look(k)) dashtype 1 linewidth 1, \
        DATA using (label_x(larger(column("value"), column("high")))):"place":"label" \
            :ytic(strcol("name")) with labels left offset character 1.2, 0 textcolor rgb TEXT
    load END
}
