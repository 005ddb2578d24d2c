# Points over categories, which have no order: x is 1, 2, … and the column `category` its name.
# Points of a category stand side by side, each with a bar for the spread. Data: see series.gp, and
# rows in the order of x.
if (has_data(FIGURE)) {
    load SERIES
    CATEGORIES = list_of(FIGURE, "category")
    set xtics scale 0 ()
    set xrange [0.5 : words(CATEGORIES) + 0.5]
    do for [i=1:words(CATEGORIES)] {
        set xtics add (replaced(word(CATEGORIES, i), " ", "\n") i)
        if (i > 1) {
            set arrow from first i - 0.5, graph 0 to first i - 0.5, graph 1 nohead back \
                linecolor rgb FAINT linewidth 0.6
        }
    }
    beside(k) = 0.76 * ((k - 0.5) / words(TITLES) - 0.5)
    plot for [k=1:words(TITLES)] DATA using (of_curve(k, "x") + beside(k)):"value":"low":"high" \
        with yerrorbars linetype look(k) dashtype 1 linewidth 1 title word(TITLES, k)
    load END
}
