# Figure of the experiment `masks`: time against mask size, every variant with its own block.
# Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
load system("dirname '".ARG0."'")."/../../common/plots/style.gp"

eval open_csv("masks")
do for [column in "width height mask_size kernel_ms_mean"] { eval number(column) }

# Means, in case the data hold several rows of the same variant and size (several filters or runs).
eval define_mean("ms(v, n)", "kernel_ms_mean", "variant[r] eq v && mask_size[r] == n")
eval define_least("larger_mask(n)", "mask_size", "mask_size[r] > n")

low = NaN
high = NaN
TIMED = ""   # the places in VARIANTS of those that have times
set print $LINES
print "variant,size,ms"
do for [v=1:words(VARIANTS)] {
    timed = 0
    row = larger_mask(0)
    while (row) {
        size = mask_size[row]
        y = ms(word(VARIANTS, v), size)
        if (known(y)) {
            timed = 1
            print sprintf("%d,%g,%g", v, size, y)
        }
        low = smaller(y, low)
        high = larger(y, high)
        row = larger_mask(size)
    }
    if (timed) { TIMED = TIMED.sprintf(" %d", v) }
}
unset print

if (known(high)) {
    eval open_figure("mask-sizes")
    set title heading(sprintf("Convolution at %dx%d: time against the size of the mask", \
        width[1], height[1]))
    set xlabel "side n of the n × n mask (weights)"
    set ylabel "time of the kernel (ms)"
    set xrange [2.5:15.5]
    set xtics 3, 2
    set format y "%g"
    if (wide(low, high)) {
        set logscale y 10
        set yrange [low / 1.5 : high * 1.5]
    } else { set yrange [0 : 1.1 * high] }
    plot for [v in TIMED] $LINES using (column("variant") == v ? column("size") : NaN):"ms" \
        with linespoints linetype v + 0 title word(VARIANTS, v + 0)
    eval close_figure("mask-sizes")
}
