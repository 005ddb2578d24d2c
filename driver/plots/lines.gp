# Curves over something that has an order. A line has some ten marks, and around it a band for the
# spread. Data: see series.gp.
if (has_data(FIGURE)) {
    load SERIES
    plot for [k=1:words(TITLES)] DATA using (of_curve(k, "x")):"low":"high" with filledcurves \
            linetype look(k) fillstyle transparent solid 0.2 noborder notitle, \
        for [k=1:words(TITLES)] DATA using (of_curve(k, "x")):"value" with linespoints \
            linetype look(k) pointinterval MARKS title word(TITLES, k)
    load END
}
