# Figures and tables of the experiment `datasets`: every variant at the sizes of the seed's
# pictures. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/upscaling.gp"

eval open_times("datasets")
eval open_other("seed", HERE."/seed_datasets.csv")
do for [column in "width height cuda_naive_ms cuda_uchar4_ms speedup"] {
    eval other_number("seed", column)
}
eval other_text("seed", "dataset")
seed_row(s) = (row_ = 0, sum [r=1:seed_ROWS] \
    (s eq sprintf("%dx%d", seed_width[r], seed_height[r]) ? (row_ = r, 0) : 0), row_)

eval define_least("row_at(s)", "width", "size[r] eq s")
megapixels(s) = pixels[row_at(s)] / 1e6
dataset(s) = seed_row(s) ? seed_dataset[seed_row(s)] : "-"

# ---- Time and percentage of a copy against size, for each method --------------------------------

# The values f(r) of the rows with method m, as $LINES, which are in order because SIZES are. Sets
# DRAWN, the places in VARIANTS of those that have any.
lines(f, m) = "DRAWN = ''; LOW = NaN; HIGH = NaN; set print $LINES; print 'variant,size,value';" \
    ."do for [v_=1:words(VARIANTS)] { do for [i_=1:words(SIZES)] {" \
    ."r_ = row_of(word(VARIANTS, v_), '".m."', word(SIZES, i_));" \
    ."y_ = r_ ? ".f."[r_ ? r_ : 1] : NaN;" \
    ."if (known(y_)) { print sprintf('%d,%g,%g', v_, megapixels(word(SIZES, i_)), y_);" \
    ."LOW = smaller(y_, LOW); HIGH = larger(y_, HIGH);" \
    ."if (words(DRAWN) == 0 || word(DRAWN, words(DRAWN)) != v_) { DRAWN = DRAWN.' '.v_ } } } };" \
    ."unset print"

# Begins a figure of $LINES, whose axis of sizes names the seed's.
open_lines(name) = sprintf("HEIGHT = HEIGHT + %d; %s; %s; %s", \
    key_height(words(DRAWN), longest_word(VARIANTS), 3), open_figure(name), \
    key_below(words(DRAWN), longest_word(VARIANTS), 3, 4), size_axis)
size_axis = "set logscale x 10; set format y '%g';" \
    ."set xrange [megapixels(word(SIZES, 1)) / 1.3 : megapixels(LARGEST) * 1.3];" \
    ."set xtics scale 0 (); do for [i_=1:words(SIZES)] { s_ = word(SIZES, i_);" \
    ."set xtics add (digits(megapixels(s_))" \
    .".(seed_row(s_) ? \"\\n\".dataset(s_) : '') megapixels(s_)) };" \
    ."set xlabel 'size of the input (megapixels), with its name in the seed' offset 0, -1"
LINES_PLOT = "plot for [v_ in DRAWN] $LINES" \
    ." using (column('variant') == v_ ? column('size') : NaN):'value'" \
    ." with linespoints linetype v_ + 0 title word(VARIANTS, v_ + 0)"

do for [k=1:words(METHODS)] {
    m = word(METHODS, k)
    title = "Upscaling by 2, ".method_told(m).": "

    eval lines("kernel_ms_mean", m)
    if (DRAWN ne "") {
        figure = figure_name("datasets", m)
        HEIGHT = 580   # several decades, and many lines in the lower ones
        eval open_lines(figure)
        set title heading(title."time against size")
        set ylabel "time of the kernel (ms)"
        eval log_range(LOW, HIGH)
        eval LINES_PLOT
        eval close_figure(figure)
    }

    eval lines("percent_of_copy", m)
    if (DRAWN ne "") {
        figure = figure_name("datasets-copy", m)
        HEIGHT = 580
        HIGH = larger(HIGH, 130)   # room for the line at 100 and its name
        eval open_lines(figure)
        set title heading(title."how near to a copy")
        set ylabel "data rate (% of a copy of as many bytes)"
        if (wide(LOW, HIGH)) { eval log_range(LOW, HIGH) } else { set yrange [0 : HIGH] }
        set arrow from graph 0, first 100 to graph 1, first 100 nohead back \
            linecolor rgb "black" dashtype (6,4) linewidth 1.5
        set label "copy limit" at graph 0, first 100 left offset character 0.6, 0.6
        eval LINES_PLOT
        eval close_figure(figure)
    }
}

# ---- The seed's table, with ours beside it ------------------------------------------------------

# The seed's method is the Gaussian. On the GPU its two versions are compared, and the
# fastest kernel is named; without one, every variant is a column, and a library that has another
# method only is shown with that one.
M = contains(METHODS, "gauss") ? "gauss" : word(METHODS, 1)
NAIVE = "cuda_naive"
VECTOR = "cuda_uchar4"
ms_at(v, m, s) = (r_ = row_of(v, m, s), r_ ? kernel_ms_mean[r_] : NaN)
eval define_least("fastest(s)", "kernel_ms_mean", \
    "backend[r] eq 'cuda' && method[r] eq M && size[r] eq s")
any_gpu = sum [i=1:words(SIZES)] (fastest(word(SIZES, i)) > 0)

eval define_least("row_of_variant(v)", "width", "variant[r] eq v")
method_with(v) = row_of(v, M, LARGEST) ? M : method[row_of_variant(v)]

header = "| dataset | input | Mpixel | seed's naive, ms | seed's vectorised, ms | seed's speedup |"
rule = "| :-- | --: | --: | --: | --: | --: |"
if (any_gpu) {
    header = header.sprintf(" %s, ms | %s, ms | speedup | fastest | ms | speedup |", NAIVE, VECTOR)
    rule = rule." --: | --: | --: | :-- | --: | --: |"
} else {
    do for [v in VARIANTS] {
        header = header.sprintf(" %s%s, ms |", v, \
            method_with(v) eq M ? "" : ", ".method_name(method_with(v)))
        rule = rule." --: |"
    }
}
as_printed(x) = known(x) ? sprintf("%.3f", x) : "-"
set print OUT_DIR."/datasets.md"
print sprintf("**%s, the seed's (%s) and ours**\n", method_told(M), SEED_MACHINE)
print header
print rule
do for [s in SIZES] {
    seed = seed_row(s)
    line = sprintf("| %s | %s | %.1f |", dataset(s), s, megapixels(s)) \
        .(seed ? sprintf(" %s | %s | %.2f |", as_printed(seed_cuda_naive_ms[seed]), \
            as_printed(seed_cuda_uchar4_ms[seed]), seed_speedup[seed]) : " - | - | - |")
    if (any_gpu) {
        naive = ms_at(NAIVE, M, s)
        vector = ms_at(VECTOR, M, s)
        r = fastest(s)
        line = line.sprintf(" %s | %s | %s |", exact(naive), exact(vector), exact(naive / vector)) \
            .(r ? sprintf(" %s | %s | %s |", variant[r], exact(kernel_ms_mean[r]), \
                exact(naive / kernel_ms_mean[r])) : " - | - | - |")
    } else {
        do for [v in VARIANTS] { line = line." ".exact(ms_at(v, method_with(v), s))." |" }
    }
    print line
}
print "\n".(any_gpu ? "Speedups are over the naive version on the same GPU. " : "").MEANS." ".FACTS
unset print

# ---- results.md: everything at the largest size -------------------------------------------------

set print OUT_DIR."/results.md"
do for [k=1:words(METHODS)] {
    m = word(METHODS, k)
    if (!row_with(m, LARGEST)) { continue }
    print sprintf("**From %s, %s**\n", LARGEST, method_told(m))
    print "| variant | kernel ms | total ms | cold ms | GB/s | % of copy | speedup kernel " \
        ."| speedup total |"
    print "| :-- | --: | --: | --: | --: | --: | --: | --: |"
    do for [v in VARIANTS] {
        r = row_of(v, m, LARGEST)
        if (!r) { continue }
        print sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", v, \
            ms_or_wrong(kernel_ms_mean[r]), exact(total_ms_mean[r]), exact(cold_ms[r]), \
            exact(gb_per_s[r]), exact(percent_of_copy[r]), exact(speedup_kernel[r]), \
            exact(speedup_total[r]))
    }
    print ""
}
print "Speedups are over seq with the same method. ".MEANS." ".FACTS
unset print
