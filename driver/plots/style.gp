# One look for the figures of all labs. Made for gnuplot 5.4.
#
# figures.py runs this, settings.gp (MACHINE, SPREAD, and what the query adds to table settings), and
# labN-…/plots/NAME.gp, in a folder with the data that NAME.sql made: FIGURE.tsv for each figure.
# NAME.gp has for each figure, or in a loop over `figures("prefix")`:
#
#     FIGURE = "mask-sizes"           # data in mask-sizes.tsv, drawn as mask-sizes.svg
#     set title heading("…"); set xlabel "…"; …
#     load LINES                      # or DOTS, ROWS, PANELS: see lines.gp, …
#
# Without data nothing is drawn. A figure with a `plot` of its own has it between `load BEGIN` and
# `load END`, within `if (has_data(FIGURE)) { … }`. All settings end with the figure: END does
# `reset` and loads this file again.

set encoding utf8
LINES = PLOTS."/lines.gp"; DOTS = PLOTS."/dots.gp"; ROWS = PLOTS."/rows.gp"
BEGIN = PLOTS."/begin.gp"; END = PLOTS."/end.gp"; SERIES = PLOTS."/series.gp"
PANELS = PLOTS."/panels.gp"

# Settings that a script may change for its next figure.
HEIGHT = 480       # pixels, without the key; one of many bars needs more
BELOW = 3          # lines of text between the plot and the key below it
RIGHT = 3          # margin at the right, in characters
Y_AXIS = "auto"    # from zero, or logarithmic for wide ranges; "own": as the script sets it
KIND = "dots"; FROM = NaN; TO = NaN; LINE = NaN; FORMAT = "%g"   # see rows.gp
SHOWN = ""         # what heading() was given
XLABEL = 0         # lines of the label below rows, but for the first

# ---- Look ---------------------------------------------------------------------------------------

# A look is a linetype: colour, point and dash. prelude.sql gives them to variants, in this order.
# The colours read on white and on dark pages. The first are Okabe and Ito's, which colour-blind
# readers can tell apart; of others that come close to each other for them, and in black and white,
# points and dashes differ. Libraries among the first seven are hollow.
COLOURS = "6e7681 e69f00 d55e00 0072b2 cc79a7 8660d9 b08800" \
    ." 009e73 56b4e9 d6336c b07a45 12a5a5 7a9a01 5c7cfa e03131 2f9e44 ae3ec9 868e96 c2571a 4c9aca" \
    ." d0704f 3d8b8b 94751f b5446e 5a7fbf 6b8e23 a05fb0 4f9d69"
POINTS = "7 5 13 9 6 4 12 11 8 15 10 14 15 11 9 7 13 5 8 4 6 12 10 14 9 15 4 13"
SOLID = "1"; DASHED = "(12,4)"; DOTTED = "(3,3)"; MIXED = "(12,3,3,3)"
DASHES = "SOLID DASHED SOLID SOLID DOTTED DOTTED DOTTED" \
    ." DASHED MIXED SOLID DOTTED DASHED MIXED SOLID DASHED DOTTED MIXED SOLID DASHED DOTTED" \
    ." MIXED SOLID DASHED DOTTED MIXED SOLID DASHED DOTTED"
do for [i=1:words(COLOURS)] {
    eval sprintf("set linetype %d linecolor rgb '#%s' pointtype %s dashtype %s", \
        i, word(COLOURS, i), word(POINTS, i), value(word(DASHES, i)))
    set linetype i linewidth 1.8 pointsize 0.9
}
TEXT = "#505860"       # and axes; see dark.xml
FAINT = "#a0808080"    # what may not be in the way, on white or dark: half transparent
DARK = 0x1f6fb0        # for pairs of bars, which mean two quantities rather than two variants
LIGHT = 0x8fc1e3
# A cross is a value from an original report. No variant has a cross.
ORIGINAL = 41
set linetype ORIGINAL linecolor rgb TEXT dashtype 1 pointtype 2 pointsize 1 linewidth 1.2
set linetype ORIGINAL + 1 linecolor rgb "#e03131" dashtype 1 pointtype 1 pointsize 1.2 linewidth 1.2
BLACK = 43             # bars of spread upon bars
set linetype BLACK linecolor rgb TEXT dashtype 1 pointtype 0 linewidth 1
CIRCLE = 44            # a second value in a row
set linetype CIRCLE linecolor rgb TEXT dashtype 1 pointtype 6 pointsize 0.9 linewidth 1
OTHERS = 45; COPY = 46 # behind the curve of a panel
set linetype OTHERS linecolor rgb FAINT dashtype 1 linewidth 1
set linetype COPY linecolor rgb TEXT dashtype (6,4) linewidth 1

set datafile separator tab
set datafile columnheaders
set border linecolor rgb TEXT linewidth 0.8
set tics nomirror textcolor rgb TEXT
set title textcolor rgb TEXT
set xlabel textcolor rgb TEXT
set ylabel textcolor rgb TEXT
set grid y linetype 1 dashtype 1 linecolor rgb FAINT linewidth 0.6
set style fill solid 1 border linecolor rgb TEXT
set errorbars small
set key textcolor rgb TEXT Left reverse samplen 3 spacing 1.2
set format y "%g"

# ---- Functions ----------------------------------------------------------------------------------

# Two lines: what is shown, and what it was measured on.
heading(what) = (SHOWN = what, what."\n".MACHINE)

# Figures with data, as a list of words; the values in a column of a figure's data, or each of them
# once. In lists, values are quoted, as word() needs it.
figures(prefix) = system("LC_ALL=C ls | sed -n 's/^\\(".prefix.".*\\)\\.tsv$/\\1/p'")
has_data(figure) = system("test -e ".figure.".tsv && echo yes") eq "yes"
all_of(figure, column) = system("awk -F'\\t' -v name=".column \
    ." 'NR == 1 { while ($++i != name) {} } NR > 1 { printf \"\\\"%s\\\" \", $i }' ".figure.".tsv")
list_of(figure, column) = system("awk -F'\\t' -v name=".column \
    ." 'NR == 1 { while ($++i != name) {} }" \
    ." NR > 1 && !seen[$i]++ { printf \"\\\"%s\\\" \", $i }' ".figure.".tsv")

# A character in a text by another one.
replaced(text, old, new) = strstrt(text, old) == 0 ? text : text[1:strstrt(text, old) - 1].new \
    .replaced(text[strstrt(text, old) + 1:*], old, new)
known(x) = x == x   # all but NaN
smaller(a, b) = !known(b) || a < b ? a : b   # of two, of which either may be NaN
larger(a, b) = !known(b) || a > b ? a : b
longest_word(list) = (longest_ = 0, sum [i=1:words(list)] \
    (longest_ = larger(strlen(word(list, i)), longest_), 0), longest_)

# Values that differ by more than this factor are drawn on a log axis.
wide(low, high) = low > 0 && high / low > 20
decade_below(x) = 10 ** floor(log10(0.9 * x))
decade_above(x) = 10 ** ceil(log10(1.1 * x))

# The rate of a copy on an axis of percentages is a dashed line, across the plot or down it.
set style arrow 1 nohead linecolor rgb TEXT dashtype (6,4) linewidth 1.2
COPY_ACROSS = "set arrow from graph 0, first 100 to graph 1, first 100 back arrowstyle 1" \
    ."; set label 'copy' at graph 0, first 100 left offset character 0.6, 0.6 textcolor rgb TEXT"

# Lines down a figure are interrupted where they would cross a text. So the plot has to be at a
# known place, between margins in pixels, and the width of a text is estimated.
MARGIN = 27        # at the right
margins(left) = sprintf("set lmargin at screen %.10g; set rmargin at screen %.10g", left / 800., \
    1 - MARGIN / 800.)
width_of(text) = 6.5 * strlen(text)
covers(left, text, x) = x > left - 5 && x < left + width_of(text) + 5
