# Curves over the side of square images: what the figures of this lab have in common. A script loads
# it after `open_csv`, names the curve that each row is a point of, and draws some of the curves:
#
#     array curve[ROWS]                     # of names, to be filled
#     eval distinct("CURVES", "curve")      # curve k is word(CURVES, k)
#     eval number_curves
#     eval at_side("ms_at", "kernel_ms_mean")   # makes ms_at(k, side), a mean if rows repeat
#     eval series("kernel_ms_mean", ALL_CURVES, SIDES)
#     if (DRAWN ne "") {
#         eval open_curves("name")
#         set title …; set ylabel …
#         eval CURVES_PLOT
#         eval close_figure("name")
#     }
#
# A curve without times belongs to a wrong variant, and is left out.

do for [column in "width height total_ms_mean cold_ms gb_per_s percent_of_copy" \
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

# Numbers can be compared faster than names. A variant that has several curves, with other threads
# or blocks, has its colour in several shades, points and dashes.
number_curves = "array curve_id[ROWS]; ALL_CURVES = numbers(words(CURVES));" \
    ."array LOOK[words(CURVES)]; do for [k_=1:words(CURVES)] { v_ = '';" \
    ."do for [i_=1:ROWS] { if (curve[i_] eq word(CURVES, k_)) {" \
    ."curve_id[i_] = k_; v_ = variant[i_] } };" \
    ."list_ = ''; do for [i_=1:ROWS] {" \
    ."if (variant[i_] eq v_) { list_ = with_word(list_, curve[i_]) } };" \
    ."LOOK[k_] = look_of(v_);" \
    ."if (words(list_) > 1) { LOOK[k_] = 100 + k_;" \
    ."eval shade(100 + k_, look_of(v_), index_in(list_, word(CURVES, k_)), words(list_)) } }"
shade(id, look, i, n) = sprintf("set linetype %d linewidth 1.8 pointsize 0.9 pointtype %s" \
    ." dashtype %s linecolor rgb %d", id, word("7 5 9 11 13 15", 1 + (i - 1) % 6), \
    value(word("SOLID DASHED DOTTED MIXED", 1 + (i - 1) % 4)), \
    mixed(int("0x".word(COLOURS, look)), 1. * (i - 1) / (n - 1)))
# The colour made lighter (0) to darker (1), each part of it by itself.
mixed(c, t) = toned(c / 65536, t) * 65536 + toned(c / 256 % 256, t) * 256 + toned(c % 256, t)
toned(x, t) = int(t < 0.5 ? x + (0.5 - t) * 0.8 * (255 - x) : x * (1 - (t - 0.5) * 0.5))
at_side(f, column) = define_mean(f."(k, n)", column, "curve_id[r] == k && width[r] == n")

eval define_least("row_of_curve(k, n)", "width", "curve_id[r] == k && width[r] == n")
row_at(k, i) = row_of_curve(k, word(SIDES, i) + 0)
curve_look(k) = LOOK[k]
curve_title(k) = word(CURVES, k)

# Begins a figure of the curves in DRAWN, with its axes and the key below.
open_curves(name) = open_series(name, 3, 3).";".value_axis.";set xrange [0:LARGEST];" \
    ."set xlabel 'side of the image (pixels); bands: '.SPREAD"
