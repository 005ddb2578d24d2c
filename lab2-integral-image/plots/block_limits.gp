# Figures and tables of the experiment `block_limits`: the four extreme ways to divide an image into
# blocks, beside report 002's tables 2 to 4. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"

eval open_csv("block_limits")
load HERE."/curves.gp"
do for [column in "grid_width grid_height"] { eval number(column) }

REPORT_MACHINE = "RTX 3070 Ti"
REPORT_VARIANTS = "cuda_global cuda_shared"
eval open_other("report", HERE."/report_block_limits.csv")
eval other_number("report", "side")
do for [v in REPORT_VARIANTS] { eval other_number("report", v."_ms") }
eval other_text("report", "case")
report_row(c, n) = sum [r=1:report_ROWS] (report_case[r] eq c && report_side[r] == n ? r : 0)
report_value(r, v) = v eq "cuda_global" ? report_cuda_global_ms[r] \
    : v eq "cuda_shared" ? report_cuda_shared_ms[r] : NaN
as_printed(x) = known(x) ? sprintf("%.10g", x) : "-"
report_ms(v, c, n) = report_row(c, n) ? report_value(report_row(c, n), v) : NaN

eval text("case")
eval distinct("CASES", "case")
eval define_least("row_in(v, c, n)", "width", \
    "variant[r] eq v && case[r] eq c && width[r] == n")
ms(v, c, n) = (r_ = row_in(v, c, n), r_ ? kernel_ms_mean[r_] : NaN)
eval define_least("row_of(c, n)", "width", "case[r] eq c && width[r] == n")
eval define_count("rows_of(v, n)", "variant[r] eq v && width[r] == n")
grid_of(r) = sprintf("%dx%d", grid_width[r], grid_height[r])

# ---- A figure for each side ---------------------------------------------------------------------

# The rows of a case stand together below its name. Of every variant in the data there is a row, and
# of those that the report timed one above, with its time.
do for [s in SIDES] {
    n = s + 0
    low = NaN
    high = NaN
    place = 0
    set print $DOTS
    print DOTS_HEADER
    do for [c in CASES] {
        row = row_of(c, n)
        if (!row) { continue }
        place = place + (place == 0 ? 1 : 1.4)
        print dot(ORIGINAL, place, NaN, NaN, NaN, \
            sprintf("%s: a grid of %s blocks of %s threads", c, grid_of(row), block_of(row)), " ")
        do for [v in VARIANTS] {
            y = report_ms(v, c, n)
            if (known(y)) {
                place = place + 1
                low = smaller(y, low)
                high = larger(y, high)
                print dot(ORIGINAL, place, y, NaN, NaN, exact(y)." ms", "report 002: ".v)
            }
            r = row_in(v, c, n)
            if (!r) { continue }
            y = kernel_ms_mean[r]
            place = place + 1
            low = smaller(y, low)
            high = larger(y, high)
            print dot(look_of(v), place, y, kernel_low[r], kernel_high[r], \
                known(y) ? exact(y)." ms" : WRONG, v)
        }
    }
    unset print
    if (!known(high)) { continue }
    eval open_rows("block-limits-".s, place)
    set title heading("Integral image at ".square(n)." by the definition, beside report 002's (" \
        .REPORT_MACHINE.")")
    eval row_axis(low, high)
    set xlabel "time of the kernel (ms; lines: ".SPREAD."); crosses: report 002's"
    eval DOTS_PLOT
    eval close_figure("block-limits-".s)
}

# ---- Tables -------------------------------------------------------------------------------------

set print OUT_DIR."/block-limits.md"
do for [s in SIDES] {
    n = s + 0
    header = "| case | grid | block |"
    rule = "| :-- | --: | --: |"
    do for [v in REPORT_VARIANTS] {
        header = header.sprintf(" report 002's %s, %s, ms |", v, REPORT_MACHINE)
        rule = rule." --: |"
    }
    do for [v in VARIANTS] {
        header = header.sprintf(" %s, ms |", v)
        rule = rule." --: |"
    }
    print sprintf("**%s**\n", square(n))
    print header
    print rule
    do for [i=1:words(CASES)] {
        c = word(CASES, i)
        row = row_of(c, n)
        if (!row) { continue }
        line = sprintf("| %s | %s | %s |", c, grid_of(row), block_of(row))
        do for [v in REPORT_VARIANTS] { line = line." ".as_printed(report_ms(v, c, n))." |" }
        do for [v in VARIANTS] {
            line = line." ".(rows_of(v, n) ? ms_or_wrong(ms(v, c, n)) : "-")." |"
        }
        print line
    }
    print ""
}
print MEANS." ".FACTS
unset print
