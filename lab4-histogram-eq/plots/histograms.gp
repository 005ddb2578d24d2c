# The figure of pictures.py: the histogram and the CDF of the first picture before and after, in one
# plot, "after" so much further to the right.
FIGURE = "histograms"
HEIGHT = 400
RIGHT = 11
AFTER = 290
stats "histograms.tsv" using "pixels" nooutput
x(side) = (strcol("side") eq side ? 0 : NaN) + (side eq "after" ? AFTER : 0) + column("level")
set title "Histogram and CDF of the picture low-contrast, before and after equalization"
set border 0
unset grid
TITLES = '"histogram, left axis" "CDF, right axis"'
load PLOTS."/key.gp"
set xrange [-3 : AFTER + 258]
set yrange [0 : 1.12 * STATS_max]
set y2range [0 : 112]
set ytics nomirror out
set y2tics 0, 25, 100 nomirror out textcolor rgb TEXT
set xtics nomirror out ()
do for [side in "before after"] {
    shift = side eq "after" ? AFTER : 0
    do for [level in "0 64 128 192 255"] { set xtics add (level shift + level) }
    set object rectangle from first shift - 3, graph 0 to first shift + 258, graph 1 \
        behind fillstyle empty border linecolor rgb TEXT linewidth 0.8
    set label side at first shift + 4, graph 0.94 left textcolor rgb TEXT
}
set xlabel "level"
set ylabel "pixels of the level (% of all)"
set y2label "pixels up to the level (% of all)" textcolor rgb TEXT
load BEGIN
plot for [side in "before after"] "histograms.tsv" using (x(side)):"pixels":(1) with boxes \
        fillstyle solid 1 noborder linecolor rgb DARK \
        title (side eq "before" ? word(TITLES, 1) : ""), \
    for [side in "before after"] "histograms.tsv" using (x(side)):"cdf" axes x1y2 with lines \
        linecolor rgb "#e69f00" linewidth 2 dashtype 1 \
        title (side eq "before" ? word(TITLES, 2) : "")
load END
