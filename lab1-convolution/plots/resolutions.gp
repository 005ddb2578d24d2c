# Figures and tables of the experiment `resolutions`: every filter at every size and block size.
# Called as common/plots/style.gp says. Report 000's figures 3 to 9 are among them.

CSV_DIR = ARG1; OUT_DIR = ARG2
load system("dirname '".ARG0."'")."/../../common/plots/style.gp"

eval open_csv("resolutions")
eval text("filter")
eval text("parameters")
do for [column in "width height mask_size block_width block_height threads_per_block" \
    ." total_ms_mean cold_ms gb_per_s percent_of_copy" \
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

# ---- Speedup against threads per block, a figure for each size (3 to 7) --------------

eval define_mean("speedup_at(v, s)", "speedup_kernel", "variant[r] eq v && size[r] eq s")
eval define_mean("copy_speedup_at(s)", "copy_speedup", "size[r] eq s")
eval define_mean("speedup_with(v, s, t)", "speedup_kernel", \
    "variant[r] eq v && size[r] eq s && threads_per_block[r] == t")

# The numbers of threads in ascending order, as a line needs them; blocks of different shape but as
# many threads (16x16 and 32x8) share a point, as there. The axis is the same in all figures.
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

# Without blocks there is nothing to draw. The axis is that of the curves. Lines that are level, as
# the variant has no block, are drawn if they lie on it; the others are named above or below.
WITH_BLOCKS = ""
do for [v=1:N] {
    if (rows_with_block(word(VARIANTS, v))) { WITH_BLOCKS = WITH_BLOCKS.sprintf(" %d", v) }
}
level_name(v) = v == 0 ? LIMIT : word(VARIANTS, v)
level_at(v, s) = v == 0 ? copy_speedup_at(s) : speedup_at(word(VARIANTS, v), s)

do for [s in SIZES] {
    eval NO_SERIES
    do for [v in WITH_BLOCKS] { do for [t in THREADS] {
        eval point(v + 0, t + 0, speedup_with(word(VARIANTS, v + 0), s, t + 0), NaN, NaN)
    } }
    unset print
    if (DRAWN eq "") { continue }
    LEVELS = ""
    longest = 0   # of the names at the right
    do for [v=0:N] {
        if (index_in(WITH_BLOCKS, sprintf("%d", v)) || !known(level_at(v, s))) { continue }
        LEVELS = LEVELS.sprintf(" %d", v)
        longest = larger(strlen(level_name(v)), longest)
    }

    eval open_series("speedup-".s, 3, longest + 10)
    set title heading("Convolution at ".s.": speedup over seq, ".mean_of_filters)
    set xlabel "threads per block (its width × height, in pixels)"
    set ylabel "speedup of the kernel (times)"
    set format y "%g×"
    set logscale x 2
    set xrange [X_LOW / 1.3 : X_HIGH * 1.3]
    is_log = wide(LOW, HIGH)
    if (is_log) { set logscale y 10 }
    y_low = is_log ? LOW / 1.3 : 0
    y_high = HIGH * (is_log ? 1.3 : 1.1)
    set yrange [y_low:y_high]

    ENDS = words(LEVELS)
    array END_AT[ENDS + 1]
    do for [k=1:ENDS] {
        y = level_at(word(LEVELS, k) + 0, s)
        END_AT[k] = is_log ? log(y / y_low) / log(y_high / y_low) : y / y_high
    }
    do for [k=1:ENDS] {
        v = word(LEVELS, k) + 0
        name = level_name(v)." ".digits(level_at(v, s))."×"
        side = END_AT[k] > 1 ? "↑ " : END_AT[k] < 0.005 ? "↓ " : ""
        if (side eq "") {
            set arrow from graph 0, graph END_AT[k] to graph 1, graph END_AT[k] nohead back \
                linetype (v == 0 ? ORIGINAL : look_of(level_name(v))) dashtype (7,4) linewidth 1.3
        }
        set label side.name at graph 1.02, graph label_at(k, 0.058) left textcolor @TEXT
    }
    eval CURVES_PLOT
    eval close_figure("speedup-".s)
}

# ---- Mean speedup and mean time of every variant (8 and 9) ---------------------------

eval define_mean("mean_speedup(v)", "speedup_kernel", "variant[r] eq v")
eval define_mean("mean_copy_speedup(any)", "copy_speedup", "1")
eval define_mean("mean_copy_ms(any)", "copy_ms", "1")
low = NaN
high = NaN
set print $DOTS
print DOTS_HEADER
do for [v=1:N] {
    y = mean_speedup(word(VARIANTS, v))
    low = smaller(y, low)
    high = larger(y, high)
    print dot(look_of(word(VARIANTS, v)), v, y, NaN, NaN, known(y) ? digits(y)."×" : WRONG, \
        word(VARIANTS, v))
}
unset print
if (known(high)) {
    eval open_rows("mean-speedup", N)
    set title heading("Convolution: mean speedup over seq (".all_runs.")")
    eval row_axis(low, larger(mean_copy_speedup(0), high))
    set format x "%g×"
    set xlabel "speedup of the kernel (times); dashed: ".LIMIT
    if (known(mean_copy_speedup(0))) {
        eval LINE_DOWN(mean_copy_speedup(0))
    }
    eval DOTS_PLOT
    eval close_figure("mean-speedup")
}

# On a machine without a GPU, there are no transfers to tell from kernels.
eval define_mean("mean_kernel_ms(v)", "kernel_ms_mean", "variant[r] eq v")
eval define_mean("mean_total_ms(v)", "total_ms_mean", "variant[r] eq v")
if (any_gpu) {
    low = mean_copy_ms(0)
    high = NaN
    set print $DOTS
    print DOTS_HEADER
    do for [v=1:N] {
        name = word(VARIANTS, v)
        kernel = mean_kernel_ms(name)
        total = mean_total_ms(name)
        low = smaller(kernel, low)
        high = larger(total, high)
        print dot(look_of(name), v, kernel, NaN, total, !known(kernel) ? WRONG : digits(kernel) \
            .(total > kernel ? " and ".digits(total) : "")." ms", name)
    }
    unset print
    eval open_rows("mean-time", N)
    set title heading("Convolution: mean time (".all_runs.")")
    eval row_axis(low, high)
    set xlabel "time (ms): kernel, and ○ host to host; dashed: a copy on the GPU"
    eval LINE_DOWN(mean_copy_ms(0))
    eval DOTS_PLOT.", '' using (column('high') > column('value') ? column('high') : NaN):'place'" \
        ." with points pointtype 6 linecolor ".TEXT." notitle"
    eval close_figure("mean-time")
}

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

row_at(k, i) = fastest(word(VARIANTS, k), word(BY_MASK, i))
eval series("kernel_ms_mean", numbers(N), numbers(words(BY_MASK)))
if (DRAWN ne "") {
    HEIGHT = 560
    eval open_series("filters", 3, 3)
    set title heading("Convolution at ".LARGEST.": time of every filter, with the best block")
    set xlabel "filter; bars: ".SPREAD
    set ylabel "time of the kernel (ms)"
    eval value_axis
    eval category_axis(BY_MASK)
    eval CATEGORIES_PLOT
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
if (COLUMNS eq "") { exit }
set print OUT_DIR."/blocks.md"
print sprintf("**Speedup over seq at %s for each block, %s**\n", LARGEST, mean_of_filters)
print header
print rule
do for [v=1:N] {
    name = word(VARIANTS, v)
    if (!rows_with_block(name)) { continue }
    line = "| ".name." |"
    do for [b in COLUMNS] { line = line." ".digits(speedup_in(name, b))." |" }
    print line
}
print "\n".FACTS
unset print
