# Figure of the experiment `masks`: time against mask size, every variant with its own block.
# Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
load system("dirname '".ARG0."'")."/../../common/plots/style.gp"

eval open_csv("masks")
do for [column in "width height mask_size"] { eval number(column) }

eval define_least("row_of(v, n)", "width", "variant[r] eq v && mask_size[r] == n")
eval define_least("larger_mask(n)", "mask_size", "mask_size[r] > n")
SIDES = ""
row = larger_mask(0)
while (row) {
    SIDES = SIDES.sprintf(" %d", mask_size[row])
    row = larger_mask(mask_size[row])
}

row_at(k, i) = row_of(word(VARIANTS, k), word(SIDES, i) + 0)
eval series("kernel_ms_mean", numbers(words(VARIANTS)), SIDES)
if (DRAWN ne "") {
    HEIGHT = 560
    eval open_series("mask-sizes", 3, 3)
    set title heading(sprintf("Convolution at %dx%d: time against the size of the mask", \
        width[1], height[1]))
    set xlabel "side n of the n × n mask (weights); bands: ".SPREAD
    set ylabel "time of the kernel (ms)"
    set xrange [2.5:15.5]
    set xtics 3, 2
    eval value_axis
    eval CURVES_PLOT
    eval close_figure("mask-sizes")
}
