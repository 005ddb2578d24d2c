# Figures of the experiment `roofline`: the rate of arithmetic of every variant against its
# operations per byte, below what the machine's memory and arithmetic allow. Called as
# common/plots/style.gp says.
#
# The operations of kernels are those that Nsight Compute counted, if CSV_DIR has the profile.csv of
# the same GPU; otherwise, like those of variants on the CPU, they follow from a formula. The bytes
# are those of input and output, each once, as in percent_of_copy: most of the output is still in
# the L2 cache when a kernel ends, so what DRAM has moved by then says little of its need for memory.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/upscaling.gp"

eval open_times("roofline")
do for [column in "bytes flop fma_gflop_per_s ceiling_gb_per_s"] { eval number(column) }
eval open_other("profile", CSV_DIR."/profile.csv")
do for [column in "flop dram_bytes duration_ms"] { eval other_number("profile", column) }
eval other_text("profile", "variant")

# What of a variant's kernels Nsight Compute counted, all of them together. A kernel that only moves
# bytes may have no operations.
counted_flop(v) = sum [i=1:profile_ROWS] \
    (profile_variant[i] eq v && known(profile_flop[i]) ? profile_flop[i] : 0.)
counted_ms(v) = sum [i=1:profile_ROWS] (profile_variant[i] eq v ? profile_duration_ms[i] : 0.)

array intensity[ROWS]   # FLOP/byte
array gflop_per_s[ROWS]
do for [r=1:ROWS] {
    v = variant[r]
    profiled = on_gpu(r) && profile_ROWS
    intensity[r] = (profiled ? counted_flop(v) : flop[r]) / bytes[r]
    gflop_per_s[r] = (profiled ? quotient(counted_flop(v), counted_ms(v)) \
        : flop[r] / kernel_ms_mean[r]) / 1e6
}

# Roofs are of as many threads as the variant has, and of the GPU where it has none.
GPU_ROOF = 0
array roof[ROWS]
do for [r=1:ROWS] { roof[r] = on_gpu(r) ? GPU_ROOF : threads[r] }
eval define_mean("fma_rate(t)", "fma_gflop_per_s", "roof[r] == t")
eval define_mean("copy_rate(t)", "ceiling_gb_per_s", "roof[r] == t")
eval define_least("more_threads(t)", "roof", "roof[r] > t")

do for [device in "gpu cpu"] {
    if (device eq "gpu") { ROOFS = known(fma_rate(GPU_ROOF)) ? " 0" : "" } else {
        ROOFS = ""
        row = more_threads(0)
        while (row) {
            if (known(fma_rate(roof[row]))) { ROOFS = ROOFS.sprintf(" %d", roof[row]) }
            row = more_threads(roof[row])
        }
    }

    # The variants with a point, their values, and the extremes of the axes.
    DRAWN = ""
    x_low = NaN
    x_high = NaN
    y_low = NaN
    y_high = NaN
    do for [r=1:ROWS] {
        if (on_gpu(r) != (device eq "gpu") || !known(gflop_per_s[r]) || !known(intensity[r])) {
            continue
        }
        DRAWN = DRAWN.sprintf(" %d", r)
        x_low = smaller(intensity[r], x_low)
        x_high = larger(intensity[r], x_high)
        y_low = smaller(gflop_per_s[r], y_low)
    }
    if (DRAWN eq "" || ROOFS eq "") { continue }
    do for [t in ROOFS] {
        x_low = smaller(fma_rate(t + 0) / copy_rate(t + 0), x_low)    # the ridge
        x_high = larger(fma_rate(t + 0) / copy_rate(t + 0), x_high)
        y_high = larger(fma_rate(t + 0), y_high)
    }
    x_low = x_low / 4
    x_high = x_high * 4
    y_low = y_low / 2
    y_high = y_high * 2

    figure = "roofline-".device
    HEIGHT = 540
    eval open_figure(figure)
    set title heading("Upscaling ".LARGEST." by 2, ".method_name(method[word(DRAWN, 1) + 0]) \
        .": roofline of the ".(device eq "gpu" ? "GPU" : "CPU").", points " \
        .(device eq "gpu" && profile_ROWS ? "as counted by Nsight Compute" : "by formula"))
    set xlabel "arithmetic intensity (FLOP per byte of input and output, each byte once)"
    set ylabel "rate of arithmetic (GFLOP/s)"
    set logscale xy 10
    set format xy "%g"
    set xrange [x_low : x_high]
    set yrange [y_low : y_high]
    unset key

    # Points are named at the right, in the order of their heights.
    at_x(x) = log(x / x_low) / log(x_high / x_low)
    at_y(y) = log(y / y_low) / log(y_high / y_low)
    N = words(DRAWN)
    ENDS = N
    array END_AT[N]
    longest = 0
    set print $POINTS
    print "intensity,rate"
    do for [k=1:N] {
        r = word(DRAWN, k) + 0
        END_AT[k] = at_y(gflop_per_s[r])
        longest = larger(strlen(variant[r]." ".exact(gflop_per_s[r])), longest)
        print sprintf("%g,%g", intensity[r], gflop_per_s[r])
    }
    unset print
    set rmargin longest + 2
    do for [k=1:N] {
        r = word(DRAWN, k) + 0
        set arrow from first intensity[r], first gflop_per_s[r] \
            to graph 1.02, graph label_at(k, 0.05) nohead back linecolor @FAINT linewidth 0.7
        set label variant[r]." ".exact(gflop_per_s[r]) \
            at graph 1.025, graph label_at(k, 0.05) left textcolor @TEXT
    }

    # A roof: along the memory's slope to the ridge, then level. The angle of the slope on paper, on
    # which its name is written, follows from the lengths of the axes, some 7 pixels to a character.
    axis_width = 800 - 7. * (longest + 2) - 75
    axis_height = HEIGHT - 115.
    slope = atan2(axis_height / log(y_high / y_low), axis_width / log(x_high / x_low)) * 180 / pi
    do for [t in ROOFS] {
        fma = fma_rate(t + 0)
        copy = copy_rate(t + 0)
        whose = device eq "gpu" ? "" : sprintf(", %d thread%s", t + 0, t + 0 == 1 ? "" : "s")
        ridge = fma / copy
        start = larger(x_low, y_low / copy)
        set arrow from first start, first start * copy to first ridge, first fma nohead \
            linecolor @TEXT linewidth 2
        set arrow from first ridge, first fma to first x_high, first fma nohead \
            linecolor @TEXT linewidth 2
        set label sprintf("multiply-adds%s: %s GFLOP/s", whose, exact(fma)) \
            at first x_high, first fma right offset character -1, 0.7 \
            textcolor @TEXT
        set label sprintf("copy%s: %s GB/s", whose, exact(copy)) \
            at first sqrt(start * ridge), first sqrt(start * ridge) * copy \
            center rotate by slope offset character -1, 1 textcolor @TEXT
    }
    plot for [k=1:N] $POINTS every ::k-1::k-1 using "intensity":"rate" \
        with points linetype look_of(variant[word(DRAWN, k) + 0]) pointsize 1.2
    eval close_figure(figure)
}

load HERE."/roofline_kernels.gp"
