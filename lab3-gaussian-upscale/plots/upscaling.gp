# What the figures of this lab have in common. A script loads it after common/plots/style.gp:
#
#     eval open_times("NAME")             # open_csv, and what is below "Rows"
#
# Report 003 is the student report that this lab grew out of. report_*.csv hold its numbers as
# it prints them; its four versions go by the names of the variants here that do the same.

REPORT_MACHINE = "GTX 1660 Ti"

# ---- Rows ---------------------------------------------------------------------------------------

# Sets METHODS in the order of the data, SIZES in that of their pixels, and LARGEST, the last size.
TIMES = "width height radius sigma threads total_ms_mean cold_ms gb_per_s" \
    ." percent_of_copy speedup_kernel speedup_total"
# NPP's cubic method has other weights, so it is a method of its own; it stands in the figures of
# the others', as no more than the weights differ.
CUBICS_TOGETHER = "do for [i_=1:ROWS] { if (method[i_] eq 'lagrange') { method[i_] = 'bicubic' } }"
open_times(name) = open_csv(name).";" \
    ."do for [column_ in TIMES] { eval number(column_) };" \
    .text("backend").";".text("parameters").";".text("method").";".CUBICS_TOGETHER.";" \
    .distinct("METHODS", "method").";" \
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

# Among the variants of a method at a size, the first that runs on the GPU: the row, or 0. It is
# what the speedups of the others there are over, as in the report; on the CPU they are over `seq`.
first_kernel(m, s) = (row_ = 0, sum [r=1:ROWS] (!row_ && backend[r] eq "cuda" && method[r] eq m \
    && size[r] eq s && known(kernel_ms_mean[r]) ? (row_ = r, 0) : 0), row_)

# ---- Names --------------------------------------------------------------------------------------

method_name(m) = m eq "gauss" ? "Gaussian" : m
# With what else it was told.
method_told(m) = method_name(m).gauss_told(row_with_method(m))
gauss_told(r) = known(sigma[r]) ? sprintf(" (radius %g, σ %g)", radius[r], sigma[r]) : ""
# Figures of the Gaussian, which this lab is about, do not say so in their names.
figure_name(name, m) = m eq "gauss" ? name : name."-".m
