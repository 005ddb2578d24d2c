# The original report (003) has a roofline for each of its four kernels. roofline.gp loads this at
# its end, with the data of `roofline` and `profile` open: roofs as measured there, points as Nsight
# Compute counted them.
#
# A kernel has one rate of arithmetic, and an arithmetic intensity for each place where its bytes can
# be counted. Those of the input and output are the bytes of percent_of_copy. DRAM sees fewer: when
# the kernel ends, most of the output is still in the L2 cache. L2 and L1 see more, because
# neighbouring threads and blocks read the same pixels.

# What the report calls its kernels. Its last one has pixels of four bytes from the beginning.
FIGURE_NAMES = "naive constant shared uchar4"
FIGURE_VARIANTS = "cuda_naive cuda_constant cuda_shared cuda_uchar4_packed"

# The columns for the caches are younger than some of the data.
do for [cache in "l1 l2"] {
    if (profile_ROWS && system("head -n 1 '".profile_CSV."' | tr , '\\n' | grep -cx ".cache."_bytes") > 0) {
        eval other_number("profile", cache."_bytes")
    } else {
        eval "array profile_".cache."_bytes[larger(profile_ROWS, 1)]"
        do for [i=1:profile_ROWS] { eval sprintf("profile_%s_bytes[i] = NaN", cache) }
    }
}
do for [column in "memory_percent compute_percent"] { eval other_number("profile", column) }

roofline_row(v) = sum [r=1:ROWS] (variant[r] eq v ? r : 0)
kernel_row(v) = sum [i=1:profile_ROWS] (profile_variant[i] eq v ? i : 0)   # each has one kernel
PLACES = '"L1 cache" "L2 cache" "DRAM" "input and output, once"'
bytes_at(k, v) = k == 1 ? profile_l1_bytes[kernel_row(v)] \
    : k == 2 ? profile_l2_bytes[kernel_row(v)] \
    : k == 3 ? profile_dram_bytes[kernel_row(v)] : bytes[roofline_row(v)]
intensity_at(k, v) = quotient(profile_flop[kernel_row(v)], bytes_at(k, v))
rate(v) = profile_flop[kernel_row(v)] / profile_duration_ms[kernel_row(v)] / 1e6   # GFLOP/s

KNOWN = ""
if (profile_ROWS && known(fma_rate(GPU_ROOF))) {
    do for [v in FIGURE_VARIANTS] {
        if (roofline_row(v) && kernel_row(v)) { KNOWN = KNOWN." ".v }
    }
}

# All have the same axes, so that one can be laid over the other.
fma = fma_rate(GPU_ROOF)
copy = copy_rate(GPU_ROOF)
x_low = fma / copy
x_high = x_low
y_low = fma
do for [v in KNOWN] {
    do for [k=1:4] {
        x_low = smaller(intensity_at(k, v), x_low)
        x_high = larger(intensity_at(k, v), x_high)
    }
    y_low = smaller(rate(v), y_low)
}
x_low = x_low / 4
x_high = x_high * 4
y_low = y_low / 4
y_high = fma * 3

do for [f=1:words(FIGURE_NAMES)] {
    v = word(FIGURE_VARIANTS, f)
    if (strstrt(KNOWN." ", " ".v." ") == 0) { continue }
    i = kernel_row(v)
    DRAWN = ""   # the places whose bytes were counted
    set print $POINTS
    print "place,intensity,rate"
    do for [k=1:4] {
        if (!known(intensity_at(k, v))) { continue }
        DRAWN = DRAWN.sprintf(" %d", k)
        print sprintf("%d,%g,%g", k, intensity_at(k, v), rate(v))
    }
    unset print

    figure = "roofline-".word(FIGURE_NAMES, f)
    HEIGHT = 460
    eval open_figure(figure)
    set title heading("Upscaling ".LARGEST." by 2: roofline of ".v.", counted by Nsight Compute")
    set xlabel "arithmetic intensity (FLOP/byte)"
    set ylabel "rate of arithmetic (GFLOP/s)"
    set logscale xy 10
    set format xy "%g"
    set xrange [x_low : x_high]
    set yrange [y_low : y_high]
    eval key_below(words(DRAWN), 28, 3, 3)
    # The angle of the copy's roof on paper follows from the lengths of the axes.
    slope = atan2((HEIGHT - 200.) / log(y_high / y_low), 680. / log(x_high / x_low)) * 180 / pi
    ridge = fma / copy
    start = larger(x_low, y_low / copy)
    set arrow from first start, first start * copy to first ridge, first fma nohead \
        linecolor @TEXT linewidth 2
    set arrow from first ridge, first fma to first x_high, first fma nohead \
        linecolor @TEXT linewidth 2
    set label sprintf("multiply-adds: %s GFLOP/s", exact(fma)) \
        at first x_high, first fma right offset character -1, 0.7 textcolor @TEXT
    set label sprintf("copy: %s GB/s", exact(copy)) \
        at first sqrt(start * ridge), first sqrt(start * ridge) * copy \
        center rotate by slope offset character -1, 1 textcolor @TEXT
    set label sprintf("%s GFLOP/s, %s %% of the multiply-adds;\nSM busy %s %%, memory %s %%", \
        exact(rate(v)), exact(100 * rate(v) / fma), exact(profile_compute_percent[i]), \
        exact(profile_memory_percent[i])) \
        at graph 0.98, graph 0.16 right textcolor @TEXT
    set arrow from first x_low, first rate(v) to first x_high, first rate(v) nohead back \
        linecolor @FAINT linewidth 0.7
    plot for [k in DRAWN] $POINTS using (column("place") == k ? column("intensity") : NaN):"rate" \
        with points linetype k + 1 pointsize 1.4 title "bytes: ".word(PLACES, k + 0)
    eval close_figure(figure)
}
