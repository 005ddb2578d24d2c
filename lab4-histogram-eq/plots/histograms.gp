# The figure of pictures.sh, OUT_DIR/histograms.svg (and .pdf): the histogram and the CDF of
# OUT_DIR/NAME-before.png beside those of OUT_DIR/NAME-after.png. Called as
#
#     gnuplot -c lab4-histogram-eq/plots/histograms.gp OUT_DIR NAME

OUT_DIR = ARG1
NAME = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/equalizing.gp"

# Both are in one plot, "after" so much further to the right.
SHIFTS = "0 290"
BEFORE = word(SHIFTS, 1) + 0
AFTER = word(SHIFTS, 2) + 0
high = 0
LEVELS = "x,pixels,cdf"
do for [shift in SHIFTS] {
    eval count_levels(OUT_DIR."/".NAME.(shift == BEFORE ? "-before" : "-after").".png")
    sum_so_far = 0
    high = larger(100. * MOST / PIXELS, high)
    do for [k=1:256] {
        sum_so_far = sum_so_far + count[k]
        LEVELS = LEVELS.sprintf("\n%d,%g,%g", k - 1 + shift, 100. * count[k] / PIXELS, \
            100. * sum_so_far / PIXELS)
    }
    LEVELS = LEVELS."\n"   # which ends the line of the CDF
}
set print $LEVELS
print LEVELS
unset print

HEIGHT = 400
eval open_figure("histograms")
set title NAME.": histogram and CDF before and after equalization"
set border 0
unset grid
eval key_below(2, 22, 11, 3)
set xrange [-3 : AFTER + 258]
set yrange [0 : 1.12 * high]
set y2range [0 : 112]
set ytics nomirror out
set y2tics 0, 25, 100 nomirror out textcolor @TEXT
set xtics nomirror out ()
do for [shift in SHIFTS] {
    do for [level in "0 64 128 192 255"] { set xtics add (level shift + level) }
    set object rectangle from first shift - 3, graph 0 to first shift + 258, graph 1 \
        behind fillstyle empty border linecolor @TEXT linewidth 0.8
    set label (shift == BEFORE ? "before" : "after") at first shift + 4, graph 0.94 left \
        textcolor @TEXT
}
set xlabel "level"
set ylabel "pixels of the level (% of all)"
set y2label "pixels up to the level (% of all)" textcolor @TEXT
plot $LEVELS using "x":"pixels":(1) with boxes fillstyle solid 1 noborder linecolor rgb DARK \
         title "histogram, left axis", \
     "" using "x":"cdf" axes x1y2 with lines linecolor rgb "#e69f00" linewidth 2 dashtype 1 \
         title "CDF, right axis"
eval close_figure("histograms")
