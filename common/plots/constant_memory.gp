# The figure and the table of the experiment `constant_memory`, which labs 1 and 3 have: one kernel
# that finds the same numbers in three places. The lab's constant_memory.gp loads this after
# common/plots/style.gp and these:
#
#     WHAT = "Convolution"           # for the title
#     NUMBERS = "mask"               # what is in constant memory
#     COUNT = "mask_size"            # the column with its size, on the horizontal axis
#     COUNT_LABEL = "side n of …"
#     PLACES = "cuda_per_pixel cuda_constant_symbol cuda_global_mask"   # parameter, symbol, global

PLACE_NAMES = '"kernel parameter" "__constant__ symbol" "global memory"'

eval open_csv("constant_memory")
do for [column in "width height ".COUNT] { eval number(column) }
array size[ROWS]
do for [r=1:ROWS] { eval sprintf("size[r] = %s[r]", COUNT) }
eval define_least("next_size(n)", "size", "size[r] > n")
eval define_least("row_of(v, n)", "size", "variant[r] eq v && size[r] == n")
ms(v, n) = (r_ = row_of(v, n), r_ ? kernel_ms_mean[r_] : NaN)
first_place = word(PLACES, 1)

set print $LINES
print "place,size,ratio,low,high"
LOW = 1
HIGH = 1
do for [k=1:words(PLACES)] {
    row = next_size(0)
    while (row) {
        n = size[row]
        r = row_of(word(PLACES, k), n)
        base = ms(first_place, n)
        y = r ? kernel_ms_mean[r] / base : NaN
        if (known(y)) {
            low = smaller(kernel_low[r] / base, y)
            high = larger(kernel_high[r] / base, y)
            print sprintf("%d,%g,%g,%g,%g", k, n, y, low, high)
            LOW = smaller(low, LOW)
            HIGH = larger(high, HIGH)
        }
        row = next_size(n)
    }
}
unset print

eval open_figure("constant-memory")
set title heading(sprintf("%s at %dx%d: the %s in three places", \
    WHAT, width[1], height[1], NUMBERS))
set xlabel COUNT_LABEL.", bars: ".SPREAD
set ylabel "time of the kernel, with the copy to the symbol\n(times that with a kernel parameter)"
first_size = size[next_size(0)]
set xtics ()
row = next_size(0)
while (row) {
    last_size = size[row]
    set xtics add (sprintf("%g", last_size) last_size)
    row = next_size(last_size)
}
set xrange [first_size - 0.5 : last_size + 0.5]
set yrange [smaller(0.9, LOW - 0.05) : larger(1.1, HIGH + 0.05)]
eval key_below(words(PLACES), 45, 3, 3)
plot for [k=1:words(PLACES)] $LINES \
         using (column("place") == k ? column("size") : NaN):"ratio":"low":"high" \
         with yerrorlines linetype look_of(word(PLACES, k)) \
         title word(PLACES, k)." (".word(PLACE_NAMES, k).")"
eval close_figure("constant-memory")

set print OUT_DIR."/constant-memory.md"
header = "| ".COUNT." |"
rule = "| --: |"
do for [k=1:words(PLACES)] {
    header = header.sprintf(" %s: %s, ms |", word(PLACES, k), word(PLACE_NAMES, k))
    rule = rule." --: |"
}
print header." symbol / parameter | global / parameter |"
print rule." --: | --: |"
row = next_size(0)
while (row) {
    n = size[row]
    line = sprintf("| %g |", n)
    do for [k=1:words(PLACES)] { line = line." ".ms_or_wrong(ms(word(PLACES, k), n))." |" }
    do for [k=2:3] {
        line = line." ".exact(quotient(ms(word(PLACES, k), n), ms(first_place, n)))." |"
    }
    print line
    row = next_size(n)
}
print "\n".MEANS." ".FACTS
unset print
