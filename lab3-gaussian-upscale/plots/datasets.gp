# Figures and tables of the experiment `datasets`: every variant at the sizes of report 003's
# pictures. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/upscaling.gp"

eval open_times("datasets")
eval open_other("report", HERE."/report_datasets.csv")
do for [column in "width height cuda_naive_ms cuda_uchar4_ms speedup"] {
    eval other_number("report", column)
}
eval other_text("report", "dataset")
report_row(s) = (row_ = 0, sum [r=1:report_ROWS] \
    (s eq sprintf("%dx%d", report_width[r], report_height[r]) ? (row_ = r, 0) : 0), row_)

eval define_least("row_of_size(s)", "width", "size[r] eq s")
megapixels(s) = pixels[row_of_size(s)] / 1e6
dataset(s) = report_row(s) ? report_dataset[report_row(s)] : "-"

# report 003's method is the Gaussian; other methods are drawn where it was not measured.
M = contains(METHODS, "gauss") ? "gauss" : word(METHODS, 1)

# ---- Time and percentage of a copy against size -------------------------------------------------

row_at(k, i) = row_of(word(VARIANTS, k), M, word(SIZES, i))
ALL = numbers(words(VARIANTS))
MEGAPIXELS = ""
do for [s in SIZES] { MEGAPIXELS = MEGAPIXELS.sprintf(" %g", megapixels(s)) }
size_axis = "set logscale x 10; set xtics scale 0 ();" \
    ."set xrange [megapixels(word(SIZES, 1)) / 1.3 : megapixels(LARGEST) * 1.3];" \
    ."do for [s_ in SIZES] { set xtics add (digits(megapixels(s_))" \
    .".(report_row(s_) ? \"\\n\".dataset(s_) : '') megapixels(s_)) };" \
    ."set xlabel 'megapixels of the input, and its name in report 003; bands: '.SPREAD offset 0, -1"
title = "Upscaling by 2, ".method_told(M).": "

eval series("kernel_ms_mean", ALL, MEGAPIXELS)
if (DRAWN ne "") {
    HEIGHT = 580   # several decades, and many lines in the lower ones
    eval open_series("datasets", 4, 3)
    set title heading(title."time against size")
    set ylabel "time of the kernel (ms)"
    eval size_axis
    eval value_axis
    eval CURVES_PLOT
    eval close_figure("datasets")
}

eval series("percent_of_copy", ALL, MEGAPIXELS)
if (DRAWN ne "") {
    HEIGHT = 580
    HIGH = larger(HIGH, 112)   # room for the line at 100 and its name
    eval open_series("datasets-copy", 4, 3)
    set title heading(title."how near to a copy")
    set ylabel "data rate (% of a copy of as many bytes)"
    eval linear_axis
    eval size_axis
    eval COPY_ACROSS
    eval CURVES_PLOT
    eval close_figure("datasets-copy")
}

# ---- Report 003's table, with ours beside it ----------------------------------------------------

# On the GPU its two versions are compared, and the fastest kernel is named; without one, every
# variant is a column, and a library that has another method only is shown with that one.
NAIVE = "cuda_naive"
VECTOR = "cuda_uchar4"
ms_at(v, m, s) = (r_ = row_of(v, m, s), r_ ? kernel_ms_mean[r_] : NaN)
eval define_least("fastest(s)", "kernel_ms_mean", \
    "backend[r] eq 'cuda' && method[r] eq M && size[r] eq s")
any_gpu = sum [i=1:words(SIZES)] (fastest(word(SIZES, i)) > 0)

eval define_least("row_of_variant(v)", "width", "variant[r] eq v")
method_with(v) = row_of(v, M, LARGEST) ? M : method[row_of_variant(v)]

header = "| dataset | input | Mpixel | report 003's naive, ms | its vectorised, ms | its speedup |"
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
print sprintf("**%s, report 003's (%s) and ours**\n", method_told(M), REPORT_MACHINE)
print header
print rule
do for [s in SIZES] {
    report = report_row(s)
    line = sprintf("| %s | %s | %.1f |", dataset(s), s, megapixels(s)) \
        .(report ? sprintf(" %s | %s | %.2f |", as_printed(report_cuda_naive_ms[report]), \
            as_printed(report_cuda_uchar4_ms[report]), report_speedup[report]) : " - | - | - |")
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
