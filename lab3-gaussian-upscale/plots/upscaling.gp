# What the figures of this lab have in common. A script loads it after common/plots/style.gp:
#
#     eval open_times("NAME")             # open_csv, and what is below "Rows"
#     eval open_other("seed", HERE."/seed_NAME.csv")   # sets seed_ROWS
#     eval other_number("seed", "ms")     # array seed_ms[seed_ROWS]
#     eval other_text("seed", "variant")  # array seed_variant[seed_ROWS]
#
# The seed is the student report that this lab grew out of. The seed_*.csv files hold its numbers as
# it prints them; its four versions go by the names of the variants here that do the same.

SEED_MACHINE = "GTX 1660 Ti"

# This lab can have more variants than common has looks for.
set linetype 13 linecolor rgb "#d7191c" pointtype 3 dashtype 1 linewidth 1.8 pointsize 0.9
set linetype 14 linecolor rgb "#1b7837" pointtype 2 dashtype (12,4) linewidth 1.8 pointsize 0.9
set linetype cycle 14

# ---- Other CSV files ----------------------------------------------------------------------------

# A file beside the experiment's own, with columns of its own. If it is missing or has no rows,
# PREFIX_ROWS is 0, and the arrays have one element because gnuplot has no empty ones.
open_other(prefix, csv) = sprintf("%s_CSV = '%s'; undefine STATS_records;", prefix, csv) \
    .(system("test -s '".csv."' && echo yes") eq "yes" \
        ? sprintf("stats %s_CSV using (1) nooutput;", prefix) : "") \
    .sprintf("%s_ROWS = exists('STATS_records') ? int(STATS_records) : 0", prefix)
other_number(prefix, column) = other_column(prefix, column, "column")
other_text(prefix, column) = other_column(prefix, column, "strcol")
other_column(prefix, column, reader) = sprintf( \
    "array %s_%s[larger(%s_ROWS, 1)]; row_ = 0;", prefix, column, prefix).sprintf( \
    "if (%s_ROWS) { stats %s_CSV using (row_ = row_ + 1, %s_%s[row_] = %s('%s'), 1) nooutput }", \
    prefix, prefix, prefix, column, reader, column)

# ---- Rows ---------------------------------------------------------------------------------------

# Sets METHODS in the order of the data, SIZES in that of their pixels, and LARGEST, the last size.
TIMES = "width height radius sigma threads kernel_ms_mean total_ms_mean cold_ms gb_per_s" \
    ." percent_of_copy speedup_kernel speedup_total"
open_times(name) = open_csv(name).";" \
    ."do for [column_ in TIMES] { eval number(column_) };" \
    .text("backend").";".text("parameters").";".text("method").";".distinct("METHODS", "method").";" \
    ."array size[ROWS]; array pixels[ROWS];" \
    ."do for [i_=1:ROWS] { size[i_] = sprintf('%dx%d', width[i_], height[i_]);" \
    ."pixels[i_] = width[i_] * height[i_] };" \
    .define_least("more_pixels(n)", "pixels", "pixels[r] > n").";" \
    ."SIZES = ''; i_ = more_pixels(0);" \
    ."while (i_) { SIZES = with_word(SIZES, size[i_]); i_ = more_pixels(pixels[i_]) };" \
    ."LARGEST = word(SIZES, words(SIZES))"

# A row of a variant with a method at a size, of a method at a size, and of a method; or 0.
eval define_least("row_of(v, m, s)", "width", "variant[r] eq v && method[r] eq m && size[r] eq s")
eval define_least("row_with(m, s)", "width", "method[r] eq m && size[r] eq s")
eval define_least("row_with_method(m)", "width", "method[r] eq m")

# The place of a variant is its linetype.
place_of(v) = sum [i=1:words(VARIANTS)] (word(VARIANTS, i) eq v ? i : 0)

# Variants on the GPU are not told of threads.
on_gpu(r) = strstrt(parameters[r], "threads=") == 0

# Among the variants of a method at a size, the first that runs on the GPU: the row, or 0. It is
# what the speedups of the others there are over, as in the seed; on the CPU they are over `seq`.
first_kernel(m, s) = (row_ = 0, sum [r=1:ROWS] (!row_ && backend[r] eq "cuda" && method[r] eq m \
    && size[r] eq s && known(kernel_ms_mean[r]) ? (row_ = r, 0) : 0), row_)

# ---- Names and numbers --------------------------------------------------------------------------

method_name(m) = m eq "gauss" ? "Gaussian" : m
# With what else it was told.
method_told(m) = method_name(m).gauss_told(row_with_method(m))
gauss_told(r) = known(sigma[r]) ? sprintf(" (radius %g, σ %g)", radius[r], sigma[r]) : ""
# Figures of the Gaussian, which this lab is about, do not say so in their names.
figure_name(name, m) = m eq "gauss" ? name : name."-".m

# Three digits of what is too small for `digits`, whose four decimals leave nothing of it.
decimals(x) = sprintf(sprintf("%%.%df", 2 - floor(log10(x))), x)
exact(x) = known(x) && x > 0 && x < 0.1 ? decimals(x) : digits(x)
ms_or_wrong(x) = known(x) ? exact(x) : WRONG

MEANS = "Times are means of the repeats without the least and the greatest."
