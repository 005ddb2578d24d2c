# One look for the figures of all labs, and the pieces that their scripts are made of.
#
# A script labN-name/plots/NAME.gp draws what labN measured in CSV_DIR/NAME.csv. It is called from
# the root of the repository as `gnuplot -c labN-name/plots/NAME.gp CSV_DIR OUT_DIR` and begins:
#
#     CSV_DIR = ARG1; OUT_DIR = ARG2
#     load system("dirname '".ARG0."'")."/../../common/plots/style.gp"
#     eval open_csv("NAME")               # sets ROWS, VARIANTS, MACHINE, FACTS, kernel_ms_mean
#     eval number("total_ms_mean")        # array total_ms_mean[ROWS], NaN where the field is empty
#
# gnuplot's functions hold expressions, not commands. Whatever must declare an array, define a
# function or open a file is therefore a function that returns commands, to be run with `eval`.
#
# The figures show what the data hold: lists of variants, sizes and so on are found in the CSV, so
# that a new variant needs no line here. Made for gnuplot 5.4.

set encoding utf8

# ---- Look ---------------------------------------------------------------------------------------

# A variant has one colour, point and dash in all figures of a lab: a linetype, given out in the
# order of REFERENCES, which are hollow if they are libraries, and then of the lab's variants.def.
# The colours read on white and on dark pages. The first are Okabe and Ito's, which colour-blind
# readers can tell apart; of others that come close to each other for them, and in black and white,
# points and dashes differ.
COLOURS = "6e7681 e69f00 d55e00 0072b2 cc79a7 8660d9 b08800" \
    ." 009e73 56b4e9 d6336c b07a45 12a5a5 7a9a01 5c7cfa e03131 2f9e44 ae3ec9 868e96 c2571a 4c9aca"
POINTS = "7 5 13 9 6 4 12 11 8 15 10 14 15 11 9 7 13 5 8 4"
SOLID = "1"; DASHED = "(12,4)"; DOTTED = "(3,3)"; MIXED = "(12,3,3,3)"
DASHES = "SOLID DASHED SOLID SOLID DOTTED DOTTED DOTTED" \
    ." DASHED MIXED SOLID DOTTED DASHED MIXED SOLID DASHED DOTTED MIXED SOLID DASHED DOTTED"
do for [i=1:words(COLOURS)] {
    eval sprintf("set linetype %d linecolor rgb '#%s' pointtype %s dashtype %s", \
        i, word(COLOURS, i), word(POINTS, i), value(word(DASHES, i)))
    set linetype i linewidth 1.8 pointsize 0.9
}

LAB = ARG0[1:strstrt(ARG0, "/plots/") - 1]
REFERENCES = "seq omp_rows omp_best cuda_best peer_opencv peer_npp peer_cub"
index_in(list, w) = sum [i=1:words(list)] (word(list, i) eq w ? i : 0)
LOOKS = REFERENCES
variant_names = "sed -n 's/^[A-Z_]*([a-z]*, *\\([a-z0-9_]*\\),.*/\\1/p' '".LAB."/src/variants.def'"
do for [v in system(variant_names)] {
    if (!index_in(LOOKS, v)) { LOOKS = LOOKS." ".v }
}
look_of(v) = 1 + ((index_in(LOOKS, v) ? index_in(LOOKS, v) : words(LOOKS) \
    + index_in(VARIANTS, v)) - 1) % words(COLOURS)

TEXT = "rgb '#505860'"   # and axes; see dark.xml
FAINT = "rgb '#a0808080'"   # what may not be in the way, on white or dark: half transparent
DARK = 0x1f6fb0   # for pairs of bars, which mean two quantities rather than two variants
LIGHT = 0x8fc1e3

# What every figure begins from. `reset` leaves linetypes and the encoding alone but not how data
# are read: every data set has a header, the small ones made here too, and columns go by name.
CLEAN_SHEET = "reset; set datafile separator comma; set datafile columnheaders;" \
    ."set border linecolor ".TEXT." linewidth 0.8; set tics nomirror textcolor ".TEXT.";" \
    ."set title textcolor ".TEXT."; set xlabel textcolor ".TEXT."; set ylabel textcolor ".TEXT.";" \
    ."set grid y linetype 1 dashtype 1 linecolor ".FAINT." linewidth 0.6;" \
    ."set style fill solid 1 border linecolor ".TEXT.";" \
    ."set errorbars small; set key textcolor ".TEXT.";" \
    ."set key outside right center vertical Left reverse samplen 3 spacing 1.2"
eval CLEAN_SHEET

# The key in columns below the plot, which leaves the plot the whole width: `count` entries of at
# most `longest` characters, beside a right margin of `margin` characters, under `lines` lines of
# text. gnuplot makes room for no more than one row by itself, so add key_height to HEIGHT first.
key_columns(longest, margin) = larger(1, floor((88. - margin) / (longest + 10)))
key_rows(count, longest, margin) = ceil(1. * count / key_columns(longest, margin))
key_height(count, longest, margin) = 21 * (key_rows(count, longest, margin) - 1)
key_below(count, longest, margin, lines) = sprintf( \
    "set rmargin %g; set bmargin %g; set key outside bottom center horizontal maxrows %d", \
    margin, lines + 1 + 1.3 * key_rows(count, longest, margin), key_rows(count, longest, margin))
longest_word(list) = (longest_ = 0, sum [i=1:words(list)] \
    (longest_ = larger(strlen(word(list, i)), longest_), 0), longest_)

# ---- Figures ------------------------------------------------------------------------------------

# Each figure is an SVG for web pages and, where gnuplot has Cairo, a PDF for print, drawn between
#
#     eval open_figure("name")            # forgets the settings of the figure before it
#     set … ; plot …
#     eval close_figure("name")
#
# The SVG has no background and takes dark.xml, by which it reads on a dark page too. `noenhanced`,
# because names like omp_rows mean their underscore. `name` keeps the ids of two figures apart that
# are put into the same page.
replaced(s, t, by) = strstrt(s, t) == 0 ? s \
    : s[1:strstrt(s, t)-1].by.replaced(s[strstrt(s, t)+strlen(t):strlen(s)], t, by)
has_terminal(name) = strstrt(" ".GPVAL_TERMINALS." ", " ".name." ") > 0

HEIGHT = 480   # of the next figure, in pixels; one of many bars or a long key needs more
open_figure(name) = CLEAN_SHEET.sprintf("; set terminal svg size 800,%d noenhanced", HEIGHT) \
    ." dynamic" \
    ." font 'Arial,Liberation Sans,Helvetica,sans-serif,13' name '".replaced(name, "-", "_")."';" \
    ."set output '".OUT_DIR."/".name.".svg'"

# Cairo stamps a PDF with the current time (1.16 does not heed SOURCE_DATE_EPOCH), so that the same
# data would give another file each time. The date is overwritten, not removed: the PDF's table of
# contents counts bytes.
undated(pdf) = "LC_ALL=C sed -i 's/CreationDate (D:[0-9]*/CreationDate (D:19700101000000/' '" \
    .pdf."'"
close_figure(name) = (has_terminal("pdfcairo") ? print_version(name) : "unset output") \
    ."; HEIGHT = 480; unused_ = system(darkened('".OUT_DIR."/".name.".svg'))"
DARK_PAGES = system("dirname '".ARG0."'")."/dark.xml"   # goes below the tag <svg …>
darkened(svg) = "sed -i '/^>$/r ".DARK_PAGES."' '".svg."'"
print_version(name) = "set terminal pdfcairo noenhanced font 'Arial,9' dashlength 2" \
    .sprintf(" size 16cm,%.2fcm;", HEIGHT / 48.) \
    ."set output '".OUT_DIR."/".name.".pdf'; replot; unset output;" \
    ."unused_ = system(undated('".OUT_DIR."/".name.".pdf'))"

# Two lines: what is shown, and what it was measured on.
heading(what) = what."\n".MACHINE

# ---- Data ---------------------------------------------------------------------------------------

known(x) = x == x   # all but NaN

# A column of the CSV as an array of its name. An empty field is NaN as a number. As texts, columns
# are only safe where gnuplot 5.4 is: it reads beyond the end of a line whose last field is empty,
# and cuts a quoted field at its first comma.
number(column) = number_as(column, column)
number_as(name, column) = sprintf("array %s[ROWS]; row_ = 0; stats CSV using" \
    ." (row_ = row_ + 1, %s[row_] = column('%s'), 1) nooutput", name, name, column)
text(column) = sprintf("array %s[ROWS]; row_ = 0; stats CSV using" \
    ." (row_ = row_ + 1, %s[row_] = strcol('%s'), 1) nooutput", column, column, column)

# A list is a string of quoted words, in the order in which the data first name them.
# Its members are word(list, 1) … word(list, words(list)).
contains(list, w) = strstrt(list, '"'.w.'"') > 0
with_word(list, w) = contains(list, w) ? list : list.' "'.w.'"'
distinct(list, column) = sprintf( \
    "%s = ''; do for [i_=1:ROWS] { %s = with_word(%s, %s[i_]) }", list, list, list, column)

plain(s) = replaced(replaced(s, "(R)", ""), "(TM)", "")

# The machine as titles name it, and all the facts as the line under a table gives them.
machine_name(cpu, gpu) = gpu eq "none" ? plain(cpu).", no GPU" : plain(gpu).", ".plain(cpu)
fact_line(cpu, gpu, compiler, commit, date) = sprintf( \
    "Measured on CPU: %s; GPU: %s; compiler: %s; commit: %s; date: %s.", \
    cpu, gpu, compiler, commit, date)

# Whether the CSV has a column: older files lack the quartiles and what disturbed the repeats.
has_column(name) = system("head -n 1 '".CSV."' | tr , '\\n' | grep -cx ".name) > 0

open_csv(name) = "CSV = '".CSV_DIR."/".name.".csv'; " \
    ."stats CSV using (1) nooutput;" \
    ."ROWS = exists('STATS_records') ? int(STATS_records) : 0;" \
    ."if (ROWS == 0) { printerr CSV.': no rows, nothing drawn'; exit };" \
    .text("variant").";".text("cpu").";".text("gpu").";".text("compiler").";" \
    .text("commit").";".text("timestamp").";".distinct("VARIANTS", "variant").";" \
    ."eval number('kernel_ms_mean');" \
    ."QUARTILES = has_column('kernel_ms_q1') && has_column('kernel_ms_q3');" \
    ."eval number_as('kernel_low', QUARTILES ? 'kernel_ms_q1' : 'kernel_ms_min');" \
    ."eval number_as('kernel_high', QUARTILES ? 'kernel_ms_q3' : 'kernel_ms_max');" \
    ."SPREAD = QUARTILES ? 'quartiles' : 'least and greatest';" \
    ."MACHINE = machine_name(cpu[1], gpu[1]);" \
    ."FACTS = fact_line(cpu[1], gpu[1], compiler[1], commit[1], timestamp[1][1:10]);" \
    ."if (has_column('disturbed')) { eval number('disturbed'); FACTS = FACTS.noise_line(0) }"
noisy_rows(any) = sum [r=1:ROWS] (known(disturbed[r]) && disturbed[r] > 0)
noise_line(any) = !noisy_rows(0) ? "" : sprintf(" Other work disturbed some repeats" \
    ." of %d of the %d rows of data.", noisy_rows(0), ROWS)

# Questions to the data, as functions. `where` is a condition on row r and the function's arguments:
#
#     eval define_mean("speedup_of(v)", "speedup_kernel", "variant[r] eq v")
#
# then makes speedup_of("seq") the mean over that variant's rows. Empty fields do not count, and
# the answer is NaN if no row remains. define_least gives the number of the row with the least
# value, or 0.
define_count(head, where) = head." = sum [r=1:ROWS] (".where.")"
define_mean(head, column, where) = head." = quotient(" \
    ."(sum [r=1:ROWS] ((".where.") && known(".column."[r]) ? ".column."[r] : 0.))," \
    ."(sum [r=1:ROWS] ((".where.") && known(".column."[r]))))"
define_least(head, column, where) = head." = (least_ = 0, sum [r=1:ROWS] ((".where.")" \
    ."&& known(".column."[r]) && (!least_ || ".column."[r] < ".column."[least_ ? least_ : 1])" \
    ."? (least_ = r, 0) : 0), least_)"
quotient(a, b) = b == 0 ? NaN : 1. * a / b

# Whether row r ran on the GPU: only variants on the CPU are told of threads. A script that asks has
# read `parameters` as text. (The backend does not tell: libraries are peers on either.)
on_gpu(r) = strstrt(parameters[r], "threads=") == 0

# ---- Other CSV files ----------------------------------------------------------------------------

# A file beside the experiment's own, with columns of its own: another experiment's, or the numbers
# of the student report that a lab grew out of, in report_*.csv as it prints them.
#
#     eval open_other("report", HERE."/report_NAME.csv")   # sets report_ROWS
#     eval other_number("report", "ms")                  # array report_ms[report_ROWS]
#     eval other_text("report", "variant")               # array report_variant[report_ROWS]
#
# If the file is missing or has no rows, PREFIX_ROWS is 0, and the arrays have one element because
# gnuplot has no empty ones. To come after open_csv.
open_other(prefix, csv) = sprintf("%s_CSV = '%s'; undefine STATS_records;", prefix, csv) \
    .(system("test -s '".csv."' && echo yes") eq "yes" \
        ? sprintf("stats %s_CSV using (1) nooutput;", prefix) : "") \
    .sprintf("%s_ROWS = exists('STATS_records') ? int(STATS_records) : 0", prefix)
other_number(prefix, column) = other_column(prefix, column, "column")
other_text(prefix, column) = other_column(prefix, column, "strcol")
other_column(prefix, column, reader) = sprintf( \
    "array %s_%s[larger(%s_ROWS, 1)]; row_ = 0;", prefix, column, prefix).sprintf( \
    "if (%s_ROWS) { stats %s_CSV using (row_ = row_ + 1, %s_%s[row_] = %s('%s'), 1) nooutput }", \
    prefix, prefix, prefix, column, reader, column)

# ---- Numbers ------------------------------------------------------------------------------------

smaller(a, b) = !known(b) || a < b ? a : b   # of two, of which either may be NaN
larger(a, b) = !known(b) || a > b ? a : b

# Three digits, never an exponent: what a timing is good for.
digits(x) = !known(x) ? "-" : x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) \
    : x >= 1 ? sprintf("%.2f", x) : x >= 0.1 ? sprintf("%.3f", x) : sprintf("%.4f", x)
# Three digits also of what is too small for that, whose four decimals leave nothing of it.
decimals(x) = sprintf(sprintf("%%.%df", 2 - floor(log10(x))), x)
exact(x) = known(x) && x > 0 && x < 0.1 ? decimals(x) : digits(x)

# A time in a table, and what stands under the table.
ms_or_wrong(x) = known(x) ? exact(x) : WRONG
MEANS = "Times are means of the repeats without the least and the greatest."

# Values that differ by more than this factor are drawn on a log axis.
wide(low, high) = low > 0 && high / low > 20
decade_below(x) = 10 ** floor(log10(0.9 * x))
# The y axis for such values. One of less than two decades ends at decades, or it might have no
# number on it.
log_range(low, high) = sprintf("set logscale y 10; set yrange [%g:%g]", \
    high / low < 100 ? decade_below(low) : low / 1.5, \
    high / low < 100 ? 10 ** ceil(log10(1.1 * high)) : 1.5 * high)

# ---- Labels at the right end of lines -----------------------------------------------------------

# Labels of horizontal lines may not cover each other however close the lines are. END_AT[1…ENDS]
# holds where the lines end, as fractions of the axis; label_at(i, gap) is where the label of line
# i goes: the labels in order of height, each pushed up to `gap` above the one below it, and then
# back down as far as the top requires.
rank_of(i) = 1 + sum [j=1:ENDS] (END_AT[j] < END_AT[i] || (END_AT[j] == END_AT[i] && j < i))
ranked(k) = sum [i=1:ENDS] (rank_of(i) == k ? END_AT[i] : 0.)
pushed_up(k, gap) = k == 1 ? ranked(1) : larger(ranked(k), pushed_up(k - 1, gap) + gap)
pushed_down(k, gap) = k == ENDS ? smaller(1., pushed_up(k, gap)) \
    : smaller(pushed_up(k, gap), pushed_down(k + 1, gap) - gap)
label_at(i, gap) = pushed_down(rank_of(i), gap)

# ---- Spread -------------------------------------------------------------------------------------

# From where to where the repeats of row r spread: the quartiles of kernel_ms, or what they make of
# a column that is computed from it. Other columns have none.
percent_at(r, ms) = percent_of_copy[r] * kernel_ms_mean[r] / ms
low_of(column, r) = column eq "kernel_ms_mean" ? kernel_low[r] \
    : column eq "percent_of_copy" ? percent_at(r, kernel_high[r]) : NaN
high_of(column, r) = column eq "kernel_ms_mean" ? kernel_high[r] \
    : column eq "percent_of_copy" ? percent_at(r, kernel_low[r]) : NaN

# ---- Series -------------------------------------------------------------------------------------

# Curves over something that has an order, or points over categories that have none. A script says
# what curve k is, and which row of the data its i-th point is (0: none), and draws some curves:
#
#     row_at(k, i) = …
#     curve_title(k) = …; curve_look(k) = …       # unless curve k is variant k
#     eval series("kernel_ms_mean", "1 2 3", "1 2 4 8")   # the column, the curves, x of each point
#     if (DRAWN ne "") { eval open_series("name", 3, 3)
#         … ; eval value_axis; eval CURVES_PLOT           # or CATEGORIES_PLOT
#         eval close_figure("name") }
#
# DRAWN are the curves with any value; LOW and HIGH are the extremes of the values.
curve_title(k) = word(VARIANTS, k)
curve_look(k) = look_of(word(VARIANTS, k))
numbers(n) = n < 1 ? "" : numbers(n - 1).sprintf(" %d", n)   # "1 2 … n"

NO_SERIES = "DRAWN = ''; MARKS = 1; LOW = NaN; HIGH = NaN; LONGEST = 0;" \
    ."set print $SERIES; print 'curve,x,value,low,high'"
# Adds a point to curve k. (A NaN in a data set would make gnuplot pass over the whole line.)
point(k, x, y, low, high) = !known(y) ? "" \
    : sprintf("print '%d,%g,%g,%g,%g'; LOW = smaller(%g, LOW); HIGH = larger(%g, HIGH);", \
        k, x, y, or(low, y), or(high, y), y, y) \
    .(index_in(DRAWN, sprintf("%d", k)) ? "" : sprintf("DRAWN = DRAWN.' %d';", k) \
        ."LONGEST = larger(strlen(curve_title(".k.")), LONGEST)")
series(column, curves, places) = NO_SERIES \
    .sprintf("; MARKS = %d; do for", ceil(words(places) / 12.)) \
    ." [k_ in '".curves."'] { do for [i_=1:words('".places."')] {" \
    ."r_ = row_at(k_ + 0, i_); if (r_) { eval point(k_ + 0, word('".places."', i_) + 0, " \
    .column."[r_], low_of('".column."', r_), high_of('".column."', r_)) } } }; unset print"

# Below the plot are `below` lines of text, at its right `margin` characters.
open_series(name, below, margin) = \
    sprintf("HEIGHT = HEIGHT + %d; eval open_figure('%s');", \
        key_height(words(DRAWN), LONGEST, margin), name) \
    .key_below(words(DRAWN), LONGEST, margin, below)."; set format y '%g'"
linear_axis = "unset logscale y; set yrange [0:1.05 * HIGH]"
value_axis = "if (wide(LOW, HIGH)) { eval log_range(LOW, HIGH) } else { eval linear_axis }"

# A line has some ten marks, and around it a band for the spread.
of_curve(k, x) = column("curve") == k ? x : NaN
CURVES_PLOT = "plot for [k_ in DRAWN] $SERIES using (of_curve(k_, column('x'))):'low':'high'" \
    ." with filledcurves linetype curve_look(k_+0) fillstyle transparent solid 0.2 noborder" \
    ." notitle, for [k_ in DRAWN] '' using (of_curve(k_, column('x'))):'value' with linespoints" \
    ." linetype curve_look(k_+0) pointinterval MARKS title curve_title(k_+0)"

# Points of a category stand side by side, each with a bar for the spread.
beside(k) = column("x") + 0.76 * ((index_in(DRAWN, k) - 0.5) / words(DRAWN) - 0.5)
CATEGORIES_PLOT = "plot for [k_ in DRAWN] $SERIES using (of_curve(k_, beside(k_)))" \
    .":'value':'low':'high' with yerrorbars linetype curve_look(k_+0) dashtype 1 linewidth 1" \
    ." title curve_title(k_+0)"
# The axis of categories, a list of names; words of a name stand below each other.
category_axis(list) = sprintf("set xtics scale 0 (); set xrange [0.5:%d.5];", words(list)) \
    .sprintf("do for [i_=1:%d] { set xtics add (replaced(word(%s, i_), ' ', \"\\n\") i_);", \
        words(list), "'".list."'") \
    ."if (i_ > 1) { set arrow from first i_ - 0.5, graph 0 to first i_ - 0.5, graph 1" \
    ." nohead back linecolor ".FAINT." linewidth 0.6 } }"

# ---- Rows ---------------------------------------------------------------------------------------

# Charts with a row for each variant, its name at the left and its value as a label. Percentages are
# bars from zero; times, which need a log axis, are dots. $DOTS has a line for each row, between
# `set print $DOTS`, `print DOTS_HEADER`, `print dot(…)` and `unset print`.
DOTS_HEADER = "look,place,value,low,high,label,name"
dot(look, place, value, low, high, label, name) = sprintf('%d,%g,%g,%g,%g,"%s","%s"', look, \
    place, or(value, -1), or(low, or(value, -1)), or(high, or(value, -1)), label, name)
or(x, instead) = known(x) ? x : instead
# What an original report printed is a cross, which no variant is.
ORIGINAL = words(COLOURS) + 1
set linetype ORIGINAL linecolor @TEXT dashtype 1 pointtype 2 pointsize 1 linewidth 1.2
# How a variant without times stands in a chart: its results were wrong.
WRONG = "wrong result: not timed"

open_rows(name, count) = sprintf("HEIGHT = %d; eval open_figure('%s')", 140 + 26 * count, name) \
    .sprintf("; set yrange [%g:0.4]; set border 1; unset key; set grid x noy;", count + 0.6) \
    ."set ytics scale 0; set format x '%g'"
# The axis for values from `low` to `high`, with room for labels of some 20 characters.
row_axis(low, high) = wide(low, high) \
    ? sprintf("set logscale x 10; LEFT = %g; set xrange [%g:%g]", \
        low / 1.5, low / 1.5, high * (1.5 * high / low) ** 0.35) \
    : sprintf("unset logscale x; LEFT = 0; set xrange [0:%g]", 1.35 * high)

label_at_x(x) = x   # a script may move labels out of the way of a line
LABELS = "'' using (label_at_x(larger(larger(column('value'), column('high')), 1.0001 * LEFT)))" \
    .":'place':'label':ytic(strcol('name')) with labels left offset character 1.2, 0" \
    ." textcolor ".TEXT." notitle"
first_number(line) = line[1:strstrt(line, ",") - 1] + 0
DOTS_PLOT = "plot for [i_=1:|$DOTS|-1] $DOTS every ::i_-1::i_-1" \
    ." using 'value':'place':'low':'high' with xerrorbars linetype first_number($DOTS[i_+1])" \
    ." dashtype 1 linewidth 1 notitle, ".LABELS
BARS_PLOT = "plot $DOTS using (0):'place':(0):'value':(column('place') - 0.3)" \
    .":(column('place') + 0.3):'look' with boxxyerror linecolor variable fillstyle solid 1" \
    ." noborder notitle, '' using 'value':'place':'low':'high' with xerrorbars pointtype 0" \
    ." linecolor ".TEXT." linewidth 1 notitle, ".LABELS

# The rate of a copy, on the axis of percentages: across the plot or, in charts of rows, down it.
COPY_ACROSS = "set arrow from graph 0, first 100 to graph 1, first 100 nohead back linecolor " \
    .TEXT." dashtype (6,4) linewidth 1.2; set label 'copy' at graph 0, first 100 left" \
    ." offset character 0.6, 0.6 textcolor ".TEXT
LINE_DOWN(x) = sprintf("set arrow from first %.10g, graph 0 to first %.10g, graph 1", x, x) \
    ." nohead back linecolor ".TEXT." dashtype (6,4) linewidth 1.2"
COPY_DOWN = LINE_DOWN(100)."; set label 'copy' at first 100, graph 1 right" \
    ." offset character -0.5, -0.7 textcolor ".TEXT
