# Figures and tables of the experiment `large`: the variants whose work grows with the pixels only,
# beside a copy of as many bytes. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"

eval open_csv("large")
load HERE."/curves.gp"

# 64-bit sums are twice the bytes to write, and so are curves of their own.
LARGEST_32 = 2147483647
array bits[ROWS]
array curve[ROWS]
do for [r=1:ROWS] {
    bits[r] = 1. * max_pixel[r] * width[r] * height[r] <= LARGEST_32 ? 32 : 64
    curve[r] = sprintf("%s, %d-bit sums", variant[r], bits[r])
}
eval distinct("CURVES", "curve")
eval number_curves
eval at_side("ms_at", "kernel_ms_mean")

# A figure shows sums of one kind, so its curves look and are called like the variants.
eval define_least("row_of(k)", "width", "curve_id[r] == k")
curve_title(k) = variant[row_of(k)]
curve_look(k) = look_of(variant[row_of(k)])
with_sums(n) = (list_ = "", sum [k=1:words(CURVES)] \
    (list_ = bits[row_of(k)] == n ? list_.sprintf(" %d", k) : list_, 0), list_)

# Sides double, and 512 alone would leave an axis without length.
side_axis = "set logscale x 2; set xrange [word(SIDES, 1) / 1.15 : LARGEST * 1.15]"

do for [n in "32 64"] {
    eval series("percent_of_copy", with_sums(n + 0), SIDES)
    figure = "large".(n eq "32" ? "" : "-".n)
    if (DRAWN ne "") {
        HIGH = larger(HIGH, 112)   # room for the line at 100 and its name
        eval open_curves(figure)
        eval linear_axis
        eval side_axis
        set title heading("Integral image with ".n."-bit sums: how near to a copy")
        set ylabel "data rate (% of a copy of as many bytes)"
        set xlabel "side of the image (pixels); the copy is the device's own," \
            ." on the CPU the host's, with as many threads"
        eval COPY_ACROSS
        eval CURVES_PLOT
        eval close_figure(figure)
    }
}

eval series("kernel_ms_mean", with_sums(32), SIDES)
if (DRAWN ne "") {
    eval open_curves("large-time")
    eval side_axis
    set title heading("Integral image with 32-bit sums: time against size")
    set ylabel "time of the kernel (ms)"
    eval CURVES_PLOT
    eval close_figure("large-time")
}

# ---- Table --------------------------------------------------------------------------------------

do for [column in "total_ms_mean cold_ms gb_per_s percent_of_copy speedup_kernel speedup_total" \
    ." max_pixel"] { eval at_side(column."_at", column) }

set print OUT_DIR."/results.md"
do for [n in "32 64"] {
    if (!(sum [r=1:ROWS] (bits[r] == n && width[r] == LARGEST))) { continue }
    SHOWN = with_sums(n + 0)
    print sprintf("**%s, pixels up to %d: %s-bit sums**\n", square(LARGEST), \
        max_pixel_at(word(SHOWN, 1) + 0, LARGEST), n)
    print "| variant | kernel ms | total ms | cold ms | GB/s | % of copy " \
        ."| speedup kernel | speedup total |"
    print "| :-- | --: | --: | --: | --: | --: | --: | --: |"
    do for [word_ in SHOWN] {
        k = word_ + 0
        if (!known(max_pixel_at(k, LARGEST))) { continue }   # no such row
        print sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", curve_title(k), \
            ms_or_wrong(ms_at(k, LARGEST)), exact(total_ms_mean_at(k, LARGEST)), \
            exact(cold_ms_at(k, LARGEST)), exact(gb_per_s_at(k, LARGEST)), \
            exact(percent_of_copy_at(k, LARGEST)), exact(speedup_kernel_at(k, LARGEST)), \
            exact(speedup_total_at(k, LARGEST)))
    }
    print ""
}
print "Speedups are over the first row. ".MEANS." ".FACTS
unset print
