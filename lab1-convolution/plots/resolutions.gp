# Figures and tables of the experiment `resolutions`: every filter at every size and block size.
# Called as common/plots/style.gp says. The seed's figures 3 to 9 are among them.

CSV_DIR = ARG1; OUT_DIR = ARG2
load system("dirname '".ARG0."'")."/../../common/plots/style.gp"

eval open_csv("resolutions")
eval text("filter")
eval text("parameters")
do for [column in "width height mask_size block_width block_height threads_per_block" \
    ." kernel_ms_mean total_ms_mean cold_ms gb_per_s percent_of_copy" \
    ." speedup_kernel speedup_total threads"] { eval number(column) }

# Sizes and blocks by name. The CPU variants and the peers have no block.
NO_BLOCK = "-"
side_by_side(w, h) = known(w) ? sprintf("%dx%d", w, h) : NO_BLOCK
array size[ROWS]
array block[ROWS]
do for [r=1:ROWS] {
    size[r] = side_by_side(width[r], height[r])
    block[r] = side_by_side(block_width[r], block_height[r])
}
eval distinct("SIZES", "size")
eval distinct("BLOCKS", "block")
eval distinct("FILTERS", "filter")
N = words(VARIANTS)

largest = 1
do for [r=2:ROWS] {
    if (width[r] * height[r] > width[largest] * height[largest]) { largest = r }
}
LARGEST = size[largest]

eval define_count("rows_with_block(v)", "variant[r] eq v && block[r] ne NO_BLOCK")
one_filter = words(FILTERS) == 1
all_filters = one_filter ? word(FILTERS, 1) : sprintf("%d filters", words(FILTERS))
mean_of_filters = (one_filter ? "" : "mean of ").all_filters
all_sizes = words(SIZES) == 1 ? word(SIZES, 1) : sprintf("%d sizes", words(SIZES))
all_runs = all_sizes.", ".all_filters.", all blocks"

# What a plain copy of the same bytes takes, and its speedup over seq: the limit for every variant
# whose data come from memory. It was measured beside each variant, on the variant's own device;
# here the GPU's counts, or the threaded CPU's if there is none.
array copy_ms[ROWS]
array copy_speedup[ROWS]
any_gpu = sum [r=1:ROWS] (on_gpu(r))
do for [r=1:ROWS] {
    counts = any_gpu ? on_gpu(r) : threads[r] > 1
    copy_ms[r] = counts ? kernel_ms_mean[r] * percent_of_copy[r] / 100 : NaN
    copy_speedup[r] = counts ? speedup_kernel[r] * 100 / percent_of_copy[r] : NaN
}
LIMIT = "copy limit"

# ---- Speedup against threads per block, a figure for each size (the seed's 3 to 7) --------------

eval define_mean("speedup_at(v, s)", "speedup_kernel", "variant[r] eq v && size[r] eq s")
eval define_mean("copy_speedup_at(s)", "copy_speedup", "size[r] eq s")
eval define_mean("speedup_with(v, s, t)", "speedup_kernel", \
    "variant[r] eq v && size[r] eq s && threads_per_block[r] == t")

# The numbers of threads in ascending order, as a line needs them; blocks of different shape but as
# many threads (16x16 and 32x8) share a point, as in the seed. The axis is the same in all figures.
eval define_least("more_threads(t)", "threads_per_block", "threads_per_block[r] > t")
THREADS = ""
X_LOW = 16
X_HIGH = 1024
row = more_threads(0)
while (row) {
    THREADS = THREADS.sprintf(" %d", threads_per_block[row])
    X_LOW = smaller(threads_per_block[row], X_LOW)
    X_HIGH = larger(threads_per_block[row], X_HIGH)
    row = more_threads(threads_per_block[row])
}

# Level lines are numbered like the variants; number 0 is the copy.
level_name(v) = v == 0 ? LIMIT : word(VARIANTS, v)
level_at(v, s) = v == 0 ? copy_speedup_at(s) : speedup_at(word(VARIANTS, v), s)

do for [s in SIZES] {
    # Variants with blocks are curves, the others level lines.
    CURVES = ""
    LEVELS = known(copy_speedup_at(s)) ? "0" : ""
    low = NaN
    high = copy_speedup_at(s)
    set print $CURVES
    print "variant,threads,speedup"
    do for [v=1:N] {
        name = word(VARIANTS, v)
        if (!known(speedup_at(name, s))) { continue }
        if (!rows_with_block(name)) {
            LEVELS = LEVELS.sprintf(" %d", v)
            low = smaller(speedup_at(name, s), low)
            high = larger(speedup_at(name, s), high)
        } else {
            CURVES = CURVES.sprintf(" %d", v)
            do for [t in THREADS] {
                y = speedup_with(name, s, t + 0)
                if (known(y)) { print sprintf("%d,%s,%g", v, t, y) }
                low = smaller(y, low)
                high = larger(y, high)
            }
        }
    }
    unset print
    if (!known(high)) { continue }   # nothing of this size was timed

    longest = 0   # of the names at the right
    do for [v in LEVELS] { longest = larger(strlen(level_name(v + 0)), longest) }
    HEIGHT = HEIGHT + key_height(words(CURVES), longest_word(VARIANTS), longest + 8)

    eval open_figure("speedup-".s)
    eval key_below(words(CURVES), longest_word(VARIANTS), longest + 8, 3)
    set title heading("Convolution at ".s.": speedup over seq, ".mean_of_filters)
    set xlabel "threads per block (its width × height, in pixels)" \
        .(CURVES eq "" ? "\nno variant in these data takes a block size" : "")
    set ylabel "speedup of the kernel (times)"
    set format y "%g×"
    set logscale x 2
    set xrange [X_LOW / 1.3 : X_HIGH * 1.3]
    is_log = wide(low, high)
    y_low = is_log ? low / 1.5 : 0
    y_high = is_log ? high * 1.5 : high * 1.1
    if (is_log) { set logscale y 10 }
    set yrange [y_low:y_high]

    # Level lines are named at their ends, which leaves the key to the curves.
    ENDS = words(LEVELS)
    array END_AT[ENDS + 1]
    do for [k=1:ENDS] {
        y = level_at(word(LEVELS, k) + 0, s)
        END_AT[k] = is_log ? log(y / y_low) / log(y_high / y_low) : y / y_high
    }
    do for [k=1:ENDS] {
        v = word(LEVELS, k) + 0
        set arrow from graph 0, graph END_AT[k] to graph 1, graph END_AT[k] nohead back \
            linetype (v == 0 ? -1 : v) dashtype (7,4) linewidth (v == 0 ? 2.2 : 1.3)
        set arrow from graph 1, graph END_AT[k] to graph 1.02, graph label_at(k, 0.058) nohead \
            linecolor rgb GREY linewidth 0.7
        set label level_name(v)." ".digits(level_at(v, s))."×" \
            at graph 1.025, graph label_at(k, 0.058) left
    }
    if (CURVES eq "") { plot NaN notitle } else {
        plot for [v in CURVES] \
            $CURVES using (column("variant") == v ? column("threads") : NaN):"speedup" \
            with linespoints linetype v + 0 title word(VARIANTS, v + 0)
    }
    eval close_figure("speedup-".s)
}

# ---- Mean speedup and mean time of every variant (the seed's 8 and 9) ---------------------------

eval define_mean("mean_speedup(v)", "speedup_kernel", "variant[r] eq v")
eval define_mean("mean_copy_speedup(any)", "copy_speedup", "1")
eval define_mean("mean_copy_ms(any)", "copy_ms", "1")
LIMIT_LOOK = 9   # grey
low = NaN
high = mean_copy_speedup(0)
set print $BARS
print BARS_HEADER
do for [v=1:N] {
    name = word(VARIANTS, v)
    y = mean_speedup(name)
    low = smaller(y, low)
    highest_variant = larger(y, v == 1 ? NaN : highest_variant)
    print known(y) ? bar(v, y, digits(y)."×", name, v) : bar(v, 0, WRONG, name, v)
}
if (known(high)) { print bar(N + 1, high, digits(high)."×", LIMIT, LIMIT_LOOK) }
unset print
if (known(low)) {
    high = larger(high, highest_variant)
    eval open_figure("mean-speedup")
    set title heading("Convolution: mean speedup over seq (".all_runs.")")
    eval bar_chart(N + known(mean_copy_speedup(0)))
    eval bar_axis(low, high, 1)
    set format x "%g×"
    set xlabel "speedup of the kernel (times)"
    eval BARS_PLOT
    eval close_figure("mean-speedup")
}

eval define_mean("mean_kernel_ms(v)", "kernel_ms_mean", "variant[r] eq v")
eval define_mean("mean_total_ms(v)", "total_ms_mean", "variant[r] eq v")
low = mean_copy_ms(0)
high = NaN
set print $PAIRS
print "place,kernel,total,kernel_label,total_label,name"
do for [v=1:N] {
    name = word(VARIANTS, v)
    kernel = mean_kernel_ms(name)
    total = mean_total_ms(name)
    low = smaller(smaller(kernel, total), low)
    high = larger(larger(kernel, total), high)
    # Without times, bars of no length.
    print known(kernel) \
        ? sprintf('%d,%g,%g,"%s ms","%s ms","%s"', \
              v, kernel, total, digits(kernel), digits(total), name) \
        : sprintf('%d,0,0,"%s"," ","%s"', v, WRONG, name)
}
if (known(low) && known(high)) {
    print sprintf('%d,%g,0,"%s ms"," ","%s"', N + 1, mean_copy_ms(0), digits(mean_copy_ms(0)), LIMIT)
}
unset print
if (known(high)) {
    HEIGHT = larger(HEIGHT, 150 + 42 * (N + 1))
    eval open_figure("mean-time")
    set title heading("Convolution: mean time (".all_runs.")")
    eval bar_chart(N + known(mean_copy_ms(0)))
    eval bar_axis(low, high, NaN)
    set xlabel "time (ms)"
    eval key_below(2, 30, 3, 3)
    plot $PAIRS using (FLOOR):"place":(FLOOR):(larger(column("kernel"), FLOOR)) \
             :(column("place") - 0.38):(column("place")):ytic(strcol("name")) \
             with boxxyerror linecolor rgb DARK @THIN_BORDER title "kernel alone", \
         "" using (FLOOR):"place":(FLOOR):(larger(column("total"), FLOOR)) \
             :(column("place")):(column("place") + 0.38) \
             with boxxyerror linecolor rgb LIGHT @THIN_BORDER \
             title "host to host: with the transfers", \
         "" using (larger(column("kernel"), FLOOR)):(column("place") - 0.19):"kernel_label" \
             with labels left offset character 0.6, 0 notitle, \
         "" using (larger(column("total"), FLOOR)):(column("place") + 0.19):"total_label" \
             with labels left offset character 0.6, 0 notitle
    eval close_figure("mean-time")
}

# ---- How near to a copy, at the largest size ----------------------------------------------------

eval define_mean("percent(v, b)", "percent_of_copy", \
    "variant[r] eq v && size[r] eq LARGEST && block[r] eq b")
high = 100
set print $BARS
print BARS_HEADER
do for [v=1:N] {
    name = word(VARIANTS, v)
    best = NaN
    do for [b in BLOCKS] {
        y = percent(name, b)
        if (known(y) && !(y <= best)) {
            best = y
            best_block = b
        }
    }
    high = larger(best, high)
    print known(best) \
        ? bar(v, best, digits(best)." %".(best_block eq NO_BLOCK ? "" : " (".best_block.")"), \
              name, v) \
        : bar(v, 0, WRONG, name, v)
}
unset print
eval open_figure("percent-of-copy")
set title heading("Convolution at ".LARGEST.": how near to a copy, ".mean_of_filters)
eval bar_chart(N)
FLOOR = 0
set xrange [0 : 1.25 * high]
set xlabel "data rate (% of the rate of a copy of as many bytes, on the same device)"
set arrow from first 100, graph 0 to first 100, graph 1 nohead front \
    linecolor rgb "black" dashtype (6,4) linewidth 1.5
set label LIMIT at first 100, graph 1 left offset character 0.6, -0.8
eval BARS_PLOT
eval close_figure("percent-of-copy")

# ---- Time of every filter, at the largest size and with the best block --------------------------

eval define_least("fastest(v, f)", "kernel_ms_mean", \
    "variant[r] eq v && filter[r] eq f && size[r] eq LARGEST")
eval define_least("filter_row(f)", "mask_size", "filter[r] eq f && size[r] eq LARGEST")

# Small masks first; among masks of the same size, in the order of the data.
eval define_least("larger_mask(n)", "mask_size", "mask_size[r] > n && size[r] eq LARGEST")
BY_MASK = ""
row = larger_mask(0)
while (row) {
    do for [k=1:words(FILTERS)] {
        name = word(FILTERS, k)
        if (filter_row(name) && mask_size[filter_row(name)] == mask_size[row]) {
            BY_MASK = with_word(BY_MASK, name)
        }
    }
    row = larger_mask(mask_size[row])
}

low = NaN
high = NaN
step = smaller(0.07, 0.8 / N)   # sideways, from one variant to the next
set print $POINTS
print "variant,place,ms,filter"
do for [v=1:N] {
    do for [k=1:words(BY_MASK)] {
        name = word(BY_MASK, k)
        row = fastest(word(VARIANTS, v), name)
        if (!row) { continue }
        low = smaller(kernel_ms_mean[row], low)
        high = larger(kernel_ms_mean[row], high)
        print sprintf('%d,%g,%g,"%s"', v, k + step * (v - 0.5 * (N + 1)), kernel_ms_mean[row], name)
    }
}
unset print
if (known(high)) {
    HEIGHT = HEIGHT + key_height(N, longest_word(VARIANTS), 3)
    eval open_figure("filters")
    set title heading("Convolution at ".LARGEST.": time of every filter, with the best block")
    set ylabel "time of the kernel (ms)"
    set format y "%g"
    if (wide(low, high)) {
        set logscale y 10
        set yrange [low / 2 : high * 2]
    } else { set yrange [0 : 1.1 * high] }
    set xrange [0.5:words(BY_MASK) + 0.5]
    set xtics scale 0 ()
    do for [k=1:words(BY_MASK)] {
        n = mask_size[filter_row(word(BY_MASK, k))]
        set xtics add (sprintf("%s\n%dx%d", word(BY_MASK, k), n, n) k)
    }
    eval key_below(N, longest_word(VARIANTS), 3, 4)
    set xlabel "filter and size of its mask (points are set apart sideways only to be seen)" \
        offset 0, -1
    # Points only: there is nothing between two filters for a line to go through.
    plot for [v=1:N] $POINTS using (column("variant") == v ? column("place") : NaN):"ms" \
        with points linetype v title word(VARIANTS, v)
    eval close_figure("filters")
}

# ---- Tables -------------------------------------------------------------------------------------

# results.md: what each variant does with its best block, at the largest size, for one 3x3 and one
# 5x5 filter, or for all that were measured if neither of the two was.
eval define_count("rows_of(v, f)", "variant[r] eq v && filter[r] eq f && size[r] eq LARGEST")
SHOWN = ""
do for [name in "sharpen gauss5"] {
    if (filter_row(name)) { SHOWN = with_word(SHOWN, name) }
}
if (SHOWN eq "") { SHOWN = BY_MASK }

set print OUT_DIR."/results.md"
do for [k=1:words(SHOWN)] {
    f = word(SHOWN, k)
    n = mask_size[filter_row(f)]
    print sprintf("**%s, a %dx%d mask, at %s**\n", f, n, n, LARGEST)
    print "| variant | best block | kernel ms | total ms | cold ms | GB/s | % of copy " \
        ."| speedup kernel | speedup total |"
    print "| :-- | --: | --: | --: | --: | --: | --: | --: | --: |"
    do for [v=1:N] {
        name = word(VARIANTS, v)
        row = fastest(name, f)
        if (row) {
            print sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |", name, block[row], \
                digits(kernel_ms_mean[row]), digits(total_ms_mean[row]), digits(cold_ms[row]), \
                digits(gb_per_s[row]), digits(percent_of_copy[row]), \
                digits(speedup_kernel[row]), digits(speedup_total[row]))
        } else { if (rows_of(name, f)) {
            print sprintf("| %s | - | %s | - | - | - | - | - | - |", name, WRONG)
        } }
    }
    print ""
}
print "Times are means of the repeats without the least and the greatest. ".FACTS
unset print

# blocks.md: mean speedup for each block at the largest size.
eval define_mean("speedup_in(v, b)", "speedup_kernel", \
    "variant[r] eq v && size[r] eq LARGEST && block[r] eq b")
eval define_least("block_row(b)", "threads_per_block", "block[r] eq b")
COLUMNS = ""
header = "| variant |"
rule = "| :-- |"
do for [k=1:words(BLOCKS)] {
    b = word(BLOCKS, k)
    if (b eq NO_BLOCK) { continue }
    COLUMNS = with_word(COLUMNS, b)
    header = header.sprintf(" %s, %d threads |", b, threads_per_block[block_row(b)])
    rule = rule." --: |"
}
set print OUT_DIR."/blocks.md"
print sprintf("**Speedup over seq at %s for each block, %s**\n", LARGEST, mean_of_filters)
if (COLUMNS eq "") { print "No variant in these data takes a block size." } else {
    print header
    print rule
}
do for [v=1:N] {
    name = word(VARIANTS, v)
    if (!rows_with_block(name)) { continue }
    line = "| ".name." |"
    do for [b in COLUMNS] { line = line." ".digits(speedup_in(name, b))." |" }
    print line
}
print "\n".FACTS
unset print
