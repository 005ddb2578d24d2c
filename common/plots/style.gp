# One look for the figures of all labs, and the pieces that their scripts are made of.
#
# A script labN-name/plots/NAME.gp draws what labN measured in CSV_DIR/NAME.csv. It is called from
# the root of the repository as `gnuplot -c labN-name/plots/NAME.gp CSV_DIR OUT_DIR` and begins:
#
#     CSV_DIR = ARG1; OUT_DIR = ARG2
#     load system("dirname '".ARG0."'")."/../../common/plots/style.gp"
#     eval open_csv("NAME")               # sets ROWS, VARIANTS, MACHINE, FACTS
#     eval number("kernel_ms_mean")       # array kernel_ms_mean[ROWS], NaN where the field is empty
#
# gnuplot's functions hold expressions, not commands. Whatever must declare an array, define a
# function or open a file is therefore a function that returns commands, to be run with `eval`.
#
# The figures show what the data hold: lists of variants, sizes and so on are found in the CSV, so
# that a new variant needs no line here. Made for gnuplot 5.4.

set encoding utf8

# ---- Look ---------------------------------------------------------------------------------------

# The place of a variant in VARIANTS is its linetype in every figure. Neighbours differ in colour,
# in lightness, in point and in dash, so that they stay apart in black and white. The colours are
# Okabe and Ito's, which colour-blind readers can tell apart too, and darker or lighter relatives.
set linetype 1 linecolor rgb "#000000" pointtype 7 dashtype 1
set linetype 2 linecolor rgb "#e69f00" pointtype 5 dashtype (12,4)
set linetype 3 linecolor rgb "#0072b2" pointtype 9 dashtype (3,3)
set linetype 4 linecolor rgb "#56b4e9" pointtype 4 dashtype (12,3,3,3)
set linetype 5 linecolor rgb "#a63603" pointtype 11 dashtype 1
set linetype 6 linecolor rgb "#009e73" pointtype 13 dashtype (8,3)
set linetype 7 linecolor rgb "#cc79a7" pointtype 6 dashtype (2,2)
set linetype 8 linecolor rgb "#54278f" pointtype 15 dashtype (12,3,3,3,3,3)
set linetype 9 linecolor rgb "#999999" pointtype 8 dashtype 1
set linetype 10 linecolor rgb "#7f6000" pointtype 10 dashtype (12,4)
set linetype 11 linecolor rgb "#e6550d" pointtype 12 dashtype (3,3)
set linetype 12 linecolor rgb "#31456a" pointtype 14 dashtype (12,3,3,3)
set linetype 13 linecolor rgb "#d7191c" pointtype 3 dashtype 1
set linetype 14 linecolor rgb "#1b7837" pointtype 2 dashtype (12,4)
do for [i=1:14] { set linetype i linewidth 1.8 pointsize 0.9 }
set linetype cycle 14

DARK = 0x1f5a8a   # for pairs of bars, which mean two quantities rather than two variants
LIGHT = 0xbcd7ec
GREY = 0x666666

# What every figure begins from. `reset` leaves linetypes and the encoding alone but not how data
# are read: every data set has a header, the small ones made here too, and columns go by name.
CLEAN_SHEET = "reset; set datafile separator comma; set datafile columnheaders;" \
    ."set border linecolor rgb '#404040' linewidth 0.8;" \
    ."set tics nomirror textcolor rgb '#202020';" \
    ."set grid y linetype 1 dashtype 1 linecolor rgb '#d8d8d8' linewidth 0.6;" \
    ."set style fill solid 1 border rgb '#202020';" \
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
# The background is opaque because a transparent one is illegible on a dark page. `noenhanced`,
# because names like omp_rows mean their underscore. `name` keeps the ids of two figures apart that
# are put into the same page.
replaced(s, t, by) = strstrt(s, t) == 0 ? s \
    : s[1:strstrt(s, t)-1].by.replaced(s[strstrt(s, t)+strlen(t):strlen(s)], t, by)
has_terminal(name) = strstrt(" ".GPVAL_TERMINALS." ", " ".name." ") > 0

HEIGHT = 480   # of the next figure, in pixels; one of many bars or a long key needs more
open_figure(name) = CLEAN_SHEET.sprintf("; set terminal svg size 800,%d noenhanced", HEIGHT) \
    ." dynamic background 'white'" \
    ." font 'Arial,Liberation Sans,Helvetica,sans-serif,13' name '".replaced(name, "-", "_")."';" \
    ."set output '".OUT_DIR."/".name.".svg'"

# Cairo stamps a PDF with the current time (1.16 does not heed SOURCE_DATE_EPOCH), so that the same
# data would give another file each time. The date is overwritten, not removed: the PDF's table of
# contents counts bytes.
undated(pdf) = "LC_ALL=C sed -i 's/CreationDate (D:[0-9]*/CreationDate (D:19700101000000/' '" \
    .pdf."'"
close_figure(name) = (has_terminal("pdfcairo") ? print_version(name) : "unset output") \
    ."; HEIGHT = 480"
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
number(column) = sprintf("array %s[ROWS]; row_ = 0; stats CSV using" \
    ." (row_ = row_ + 1, %s[row_] = column('%s'), 1) nooutput", column, column, column)
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

open_csv(name) = "CSV = '".CSV_DIR."/".name.".csv'; " \
    ."stats CSV using (1) nooutput;" \
    ."ROWS = exists('STATS_records') ? int(STATS_records) : 0;" \
    ."if (ROWS == 0) { printerr CSV.': no rows, nothing drawn'; exit };" \
    .text("variant").";".text("cpu").";".text("gpu").";".text("compiler").";" \
    .text("commit").";".text("timestamp").";".distinct("VARIANTS", "variant").";" \
    ."MACHINE = machine_name(cpu[1], gpu[1]);" \
    ."FACTS = fact_line(cpu[1], gpu[1], compiler[1], commit[1], timestamp[1][1:10])"

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

# The place of a variant, which is its linetype.
place_of(v) = sum [i=1:words(VARIANTS)] (word(VARIANTS, i) eq v ? i : 0)

# Whether row r ran on the GPU: only variants on the CPU are told of threads. A script that asks has
# read `parameters` as text. (The backend does not tell: libraries are peers on either.)
on_gpu(r) = strstrt(parameters[r], "threads=") == 0

# ---- Other CSV files ----------------------------------------------------------------------------

# A file beside the experiment's own, with columns of its own: another experiment's, or the numbers
# of the student report that a lab grew out of, the seed, which are in seed_*.csv as it prints them.
#
#     eval open_other("seed", HERE."/seed_NAME.csv")   # sets seed_ROWS
#     eval other_number("seed", "ms")                  # array seed_ms[seed_ROWS]
#     eval other_text("seed", "variant")               # array seed_variant[seed_ROWS]
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

# ---- Horizontal bars ----------------------------------------------------------------------------

# One bar per row of $BARS (columns place, value, label, name, look), from FLOOR to the value, names
# at the left and labels at the bars' ends. Lying bars leave room for any number of long names.
# Begins with `set print $BARS`, `print BARS_HEADER`, `print bar(…)`, `unset print`.
BARS_HEADER = "place,value,label,name,look"
bar(place, value, label, name, look) = sprintf('%g,%g,"%s","%s",%d', \
    place, value, label, name, look)
# How a variant without times stands in a bar chart: its results were wrong.
WRONG = "wrong result: not timed"

# The axis for values from `low` to `high`, with room for a label after the longest bar. A log axis
# has no zero for bars to start from: they start at `base`, or at a decade below all if that is NaN.
bar_axis(low, high, base) = wide(low, high) \
    ? log_bar_axis(smaller(low / 1.2, base), high, known(base) ? base : decade_below(low)) \
    : sprintf("unset logscale x; FLOOR = 0; set xrange [0:%g]", 1.2 * high)
log_bar_axis(low, high, floor) = sprintf("set logscale x 10; FLOOR = %g; set xrange [%g:%g]", \
    floor, smaller(low, floor), high * (high / smaller(low, floor)) ** 0.17)

# What all bar charts of `count` bars have in common.
bar_chart(count) = sprintf("set yrange [%d.6:0.4]; set border 3; unset key; %s", count, \
    "set grid x noy; set ytics scale 0; set format x '%g'")

# A label exactly at the start of a log axis is sometimes left out, hence 1.0001.
THIN_BORDER = "dashtype 1 linewidth 0.8"
BARS_PLOT = "plot $BARS using (FLOOR):(column('place')):(FLOOR):'value':" \
    ."(column('place') - 0.34):(column('place') + 0.34):'look':ytic(strcol('name'))" \
    ." with boxxyerror linecolor variable ".THIN_BORDER."," \
    ." '' using (larger(column('value'), 1.0001 * FLOOR)):'place':'label'" \
    ." with labels left offset character 0.6, 0"

# Our bars beside hollow ones of the seed: after `look` a row of $BARS has a column `kind`, OURS or
# SEEDS. Rows of other kinds and bars without a value have no place, and are passed over, so that
# names come with the labels, of which every row has one.
OURS = 1; SEEDS = 2
bar_place(kind) = column("kind") == kind && column("value") > 0 ? column("place") : NaN
BARS_BESIDE_SEEDS_PLOT = "plot $BARS using (FLOOR):(bar_place(OURS)):(FLOOR):'value'" \
    .":(bar_place(OURS) - 0.36):(bar_place(OURS) + 0.36):'look'" \
    ." with boxxyerror linecolor variable ".THIN_BORDER." notitle," \
    ." '' using (FLOOR):(bar_place(SEEDS)):(FLOOR):'value'" \
    .":(bar_place(SEEDS) - 0.36):(bar_place(SEEDS) + 0.36)" \
    ." with boxxyerror fillstyle empty linecolor rgb 'black' dashtype 1 linewidth 1.2 notitle," \
    ." '' using (larger(column('value'), 1.0001 * FLOOR)):'place':'label':ytic(strcol('name'))" \
    ." with labels left offset character 0.6, 0 notitle"
