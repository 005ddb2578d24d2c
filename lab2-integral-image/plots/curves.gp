# Curves over the side of square images: what the figures of this lab have in common. A script loads
# it after `open_csv`, names the curve that each row is a point of, and draws some of the curves:
#
#     array curve[ROWS]                     # of names, to be filled
#     eval distinct("CURVES", "curve")      # curve k is word(CURVES, k)
#     eval number_curves
#     eval at_side("ms_at", "kernel_ms_mean")   # makes ms_at(k, side), a mean if rows repeat
#     eval curves("ms_at", ALL_CURVES)      # sets DRAWN, LOW, HIGH
#     if (DRAWN ne "") {
#         eval open_curves("name", 1)       # 1: on a log axis
#         set title …
#         eval CURVES_PLOT
#         eval close_figure("name")
#     }
#
# A curve without times belongs to a wrong variant, and is left out.

do for [column in "width height kernel_ms_mean total_ms_mean cold_ms gb_per_s percent_of_copy" \
    ." speedup_kernel speedup_total threads threads_inner block_width block_height max_pixel"] {
    eval number(column)
}
eval text("backend")
eval text("parameters")

# The sides in ascending order, as a line needs them.
eval define_least("larger_side(n)", "width", "width[r] > n")
SIDES = ""
row = larger_side(0)
while (row) {
    SIDES = SIDES.sprintf(" %d", width[row])
    row = larger_side(width[row])
}
LARGEST = word(SIDES, words(SIDES)) + 0
square(side) = sprintf("%dx%d", side, side)

# A variant on the CPU together with its threads, which are what sets it apart; the inner threads
# are those of each sum. Variants on one thread by nature, on the GPU or by others go without.
counted(n) = sprintf("%d thread%s", n, n == 1 ? "" : "s")
with_threads(r) = backend[r] ne "omp" ? variant[r] \
    : variant[r].", ".(known(threads_inner[r]) \
        ? sprintf("%d × %s", threads[r], counted(threads_inner[r])) : counted(threads[r]))
block_of(r) = sprintf("%dx%d", block_width[r], block_height[r])

# ---- Curves -------------------------------------------------------------------------------------

# Numbers can be compared faster than names.
number_curves = "array curve_id[ROWS]; ALL_CURVES = '';" \
    ."do for [k_=1:words(CURVES)] { ALL_CURVES = ALL_CURVES.' '.k_;" \
    ."do for [i_=1:ROWS] { if (curve[i_] eq word(CURVES, k_)) { curve_id[i_] = k_ } } }"
at_side(f, column) = define_mean(f."(k, n)", column, "curve_id[r] == k && width[r] == n")

# The values f(k, side) of the curves in the list `shown`. Those of curve k are the lines FIRST[k]
# to LAST[k] of $CURVES: with no other curve's points among them, every n-th can be marked.
curves(f, shown) = "DRAWN = ''; LOW = NaN; HIGH = NaN; LONGEST = 0; line_ = 0;" \
    ."array FIRST[words(CURVES)]; array LAST[words(CURVES)];" \
    ."set print $CURVES; print 'side,value';" \
    ."do for [word_ in '".shown."'] { k_ = word_ + 0; FIRST[k_] = line_;" \
    ."do for [side_ in SIDES] { y_ = ".f."(k_, side_ + 0);" \
    ."if (known(y_)) { print sprintf('%s,%g', side_, y_); line_ = line_ + 1;" \
    ."LOW = smaller(y_, LOW); HIGH = larger(y_, HIGH) } };" \
    ."LAST[k_] = line_ - 1;" \
    ."if (line_ > FIRST[k_]) { DRAWN = DRAWN.' '.word_;" \
    ."LONGEST = larger(strlen(curve_title(k_)), LONGEST) } };" \
    ."unset print"

# How curve k looks and what it is called; a script may say otherwise.
curve_look(k) = k
curve_title(k) = word(CURVES, k)

# Some ten marks on a curve: more would hide it. Neighbours in the key are marked at different
# sides, so that the marks of two curves that run together stay apart.
MOST_MARKS = 12
points(k) = LAST[k] - FIRST[k] + 1
step(k) = points(k) > MOST_MARKS ? ceil(points(k) / 10.) : 1
first_mark(k) = FIRST[k] + (k - 1) % step(k)
CURVES_PLOT = "plot for [k_ in DRAWN] $CURVES every ::FIRST[k_+0]::LAST[k_+0]" \
    ." using 'side':'value' with lines linetype curve_look(k_+0) notitle," \
    ." for [k_ in DRAWN] $CURVES every step(k_+0)::first_mark(k_+0)::LAST[k_+0]" \
    ." using 'side':'value' with points linetype curve_look(k_+0) notitle," \
    ." for [k_ in DRAWN] keyentry with linespoints linetype curve_look(k_+0)" \
    ." title curve_title(k_+0)"

# Begins a figure of the curves in DRAWN, with its axes and the key below.
open_curves(name, is_log) = sprintf("HEIGHT = HEIGHT + %d; %s; %s; %s; %s", \
    key_height(words(DRAWN), LONGEST, 3), open_figure(name), \
    key_below(words(DRAWN), LONGEST, 3, 3), value_axis(is_log), \
    "set xlabel 'side of the image (pixels)'; set xrange [0:LARGEST]; set format y '%g'")
value_axis(is_log) = is_log \
    ? sprintf("set logscale y 10; set yrange [%g:%g]", LOW / 1.5, HIGH * 1.5) \
    : sprintf("set yrange [0:%g]", 1.05 * HIGH)
