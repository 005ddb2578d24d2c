# What the figures of this lab have in common. A script loads it after common/plots/style.gp:
#
#     eval open_times("NAME")                   # open_csv, and what is below "Rows"
#
# Report 004 is the student report that this lab grew out of. report_*.csv hold its numbers as
# it prints them. Its sequential program and its kernels are variants here.

REPORT_MACHINE = "GTX 1050"
REPORT_CPU = "Core i7-7700HQ"
REPORT_VARIANT = "cuda_three_kernels"
BASELINE = "seq"

# ---- Rows ---------------------------------------------------------------------------------------

# Sets CASES, which are pictures, distributions or blocks, in the order of the data; LARGEST, the
# first of those with the most pixels; and the size of each row.
TIMES = "width height total_ms_mean cold_ms gb_per_s percent_of_copy" \
    ." speedup_kernel speedup_total"
open_times(name) = open_csv(name).";" \
    ."do for [column_ in TIMES] { eval number(column_) };" \
    .text("backend").";".text("parameters").";".text("case").";".distinct("CASES", "case").";" \
    ."array size[ROWS]; array pixels[ROWS]; LARGEST = ''; most_ = 0;" \
    ."do for [i_=1:ROWS] { size[i_] = sprintf('%dx%d', width[i_], height[i_]);" \
    ."pixels[i_] = width[i_] * height[i_];" \
    ."if (pixels[i_] > most_) { most_ = pixels[i_]; LARGEST = case[i_] } }"

# A row of a variant in a case, and of a variant; or 0. A variant's times in a case.
eval define_least("row_of(v, c)", "width", "variant[r] eq v && case[r] eq c")
eval define_least("row_of_variant(v)", "width", "variant[r] eq v")
kernel_at(v, c) = (r_ = row_of(v, c), r_ ? kernel_ms_mean[r_] : NaN)
total_at(v, c) = (r_ = row_of(v, c), r_ ? total_ms_mean[r_] : NaN)
cold_at(v, c) = (r_ = row_of(v, c), r_ ? cold_ms[r_] : NaN)

# Variants that go from host to host by themselves have one time, which is that of the whole way.
whole_way(r) = on_gpu(r) && kernel_ms_mean[r] == total_ms_mean[r]
is_whole_way(v) = whole_way(row_of_variant(v))
kernel_name(v) = v.(is_whole_way(v) ? " (host to host)" : "")

# Report 004's tables 1 and 2, as texts because our tables show what it prints. The row of a
# picture, or 0.
open_report_pictures = "eval open_other('report', HERE.'/report_images.csv');" \
    ."do for [column_ in 'picture sequential_ms kernel_ms cuda_ms speedup_kernel speedup_cuda'] {" \
    ."eval other_text('report', column_) }"
report_row(c) = sum [r=1:report_ROWS] (report_picture[r] eq c ? r : 0)

# ---- Histograms of pictures ---------------------------------------------------------------------

# The pixels of each level of a gray PNG, as array count[256] of levels 0 to 255; PIXELS, their sum;
# and MOST, the greatest of them. gnuplot reads pictures to draw them; drawn into a table, they are
# rows of x, y and level.
count_levels(png) = "unset datafile columnheaders; set datafile separator whitespace;" \
    ."set table $TABLE; plot '".png."' binary filetype=png using 1 with image; unset table;" \
    ."array count[256]; do for [i_=1:256] { count[i_] = 0 };" \
    ."stats $TABLE using (level_ = int($3) + 1, count[level_] = count[level_] + 1, 1) nooutput;" \
    ."PIXELS = int(STATS_records); MOST = 0;" \
    ."do for [i_=1:256] { MOST = larger(count[i_], MOST) };" \
    ."set datafile separator comma; set datafile columnheaders"
