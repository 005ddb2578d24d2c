# A panel for each curve, in its colour before all others in gray: so many curves that lie close
# together can be read, in black and white too. Data: see series.gp. Beside the name of a panel
# stands its value where x is MOST. All panels have the axes that a script sets before `load PANELS`,
# with MOST, UNIT, HEADING, X_LABEL, Y_LABEL, and ideal(x), which is drawn dotted. The curve `copy`
# has no panel, but a dashed line in each.
if (has_data(FIGURE)) {
    load PLOTS."/titles.gp"
    PANELS_ = ""
    do for [k=1:words(TITLES)] {
        if (word(TITLES, k) ne "copy") { PANELS_ = PANELS_." ".k }
    }
    columns_ = words(PANELS_) > 6 ? 4 : smaller(3, words(PANELS_))
    rows_ = ceil(1. * words(PANELS_) / columns_)
    HEIGHT = 130 + 165 * rows_
    load BEGIN
    set multiplot
    do for [i=1:words(PANELS_)] {
        k = int(word(PANELS_, i))
        column_ = (i - 1) % columns_
        row_ = (i - 1) / columns_
        left_ = 62 + column_ * (726. / columns_)
        top_ = 78 + 165 * row_
        set lmargin at screen left_ / 800
        set rmargin at screen (left_ + 726. / columns_ - 14) / 800
        set tmargin at screen 1 - 1. * top_ / HEIGHT
        set bmargin at screen 1 - (top_ + 133.) / HEIGHT
        if (i + columns_ <= words(PANELS_)) { set format x "" } else { set format x "%g" }
        if (column_) { set format y "" } else { set format y "%g" }
        unset key; unset label
        if (i == 1) {
            set label 1 HEADING at screen 0.5, 1 - 24. / HEIGHT center textcolor rgb TEXT
            set label 2 Y_LABEL at screen 0.022, 0.5 center rotate by 90 textcolor rgb TEXT
            set label 3 X_LABEL at screen 0.5, 30. / HEIGHT center textcolor rgb TEXT
        }
        stats DATA using (of_curve(k, "x") == MOST ? column("value") : 0) name "AT" nooutput
        set label 4 word(TITLES, k).(AT_max > 0 ? sprintf(": %.3g", AT_max).UNIT : "") \
            at graph 0, 1 left offset 0, 0.6 textcolor rgb TEXT
        plot for [j=1:words(TITLES)] DATA \
                using (j == k ? NaN : of_curve(j, "x")):"value" with lines linetype (word(TITLES, j) eq "copy" ? COPY : OTHERS), \
            ideal(x) with lines linecolor rgb TEXT dashtype (2,4) linewidth 1, \
            DATA using (of_curve(k, "x")):"low":"high" with filledcurves \
                linetype look(k) fillstyle transparent solid 0.25 noborder, \
            DATA using (of_curve(k, "x")):"value" with linespoints linetype look(k) dashtype 1 \
                pointsize 0.6
    }
    unset multiplot
    load END
}
