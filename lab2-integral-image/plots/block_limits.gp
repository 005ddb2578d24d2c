# Figures and tables of the experiment `block_limits`: the four extreme ways to divide an image into
# blocks, beside the seed's tables 2 to 4. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"

eval open_csv("block_limits")
load HERE."/curves.gp"
do for [column in "grid_width grid_height"] { eval number(column) }

SEED_MACHINE = "RTX 3070 Ti"
SEED_VARIANTS = "cuda_global cuda_shared"
eval open_other("seed", HERE."/seed_block_limits.csv")
eval other_number("seed", "side")
do for [v in SEED_VARIANTS] { eval other_number("seed", v."_ms") }
eval other_text("seed", "case")
seed_row(c, n) = sum [r=1:seed_ROWS] (seed_case[r] eq c && seed_side[r] == n ? r : 0)
seed_value(r, v) = v eq "cuda_global" ? seed_cuda_global_ms[r] \
    : v eq "cuda_shared" ? seed_cuda_shared_ms[r] : NaN
as_printed(x) = known(x) ? sprintf("%.10g", x) : "-"
seed_ms(v, c, n) = seed_row(c, n) ? seed_value(seed_row(c, n), v) : NaN

eval text("case")
eval distinct("CASES", "case")
eval define_mean("ms(v, c, n)", "kernel_ms_mean", \
    "variant[r] eq v && case[r] eq c && width[r] == n")
eval define_least("row_of(c, n)", "width", "case[r] eq c && width[r] == n")
eval define_count("rows_of(v, n)", "variant[r] eq v && width[r] == n")
grid_of(r) = sprintf("%dx%d", grid_width[r], grid_height[r])

# ---- A figure for each side ---------------------------------------------------------------------

# Bars of a case stand together below its name, which takes a bar's place. Of every variant in the
# data there is a bar, and of those that the seed timed a hollow one above.
CASE_NAME = 0   # the `kind` of such a row, beside OURS and SEEDS
do for [s in SIDES] {
    n = s + 0
    low = NaN
    high = NaN
    place = 0
    set print $BARS
    print BARS_HEADER.",kind"
    do for [i=1:words(CASES)] {
        c = word(CASES, i)
        row = row_of(c, n)
        if (!row) { continue }
        place = place + (place == 0 ? 1 : 1.4)
        print sprintf('%g,0,"%s: a grid of %s blocks of %s threads"," ",1,%d', \
            place, c, grid_of(row), block_of(row), CASE_NAME)
        do for [v=1:words(VARIANTS)] {
            name = word(VARIANTS, v)
            y = seed_ms(name, c, n)
            if (known(y)) {
                place = place + 1
                low = smaller(y, low)
                high = larger(y, high)
                print sprintf('%g,%g,"%s ms","seed''s %s",%d,%d', \
                    place, y, exact(y), name, v, SEEDS)
            }
            if (!rows_of(name, n)) { continue }
            y = ms(name, c, n)
            place = place + 1
            low = smaller(y, low)
            high = larger(y, high)
            print sprintf('%g,%g,"%s","%s",%d,%d', place, known(y) ? y : 0, \
                known(y) ? exact(y)." ms" : WRONG, name, v, OURS)
        }
    }
    unset print
    if (!known(high)) { continue }

    figure = "block-limits-".s
    HEIGHT = larger(HEIGHT, 110 + 21 * place)
    eval open_figure(figure)
    set title heading("Integral image at ".square(n)." by the definition, beside the seed's (" \
        .SEED_MACHINE.")")
    eval bar_chart(place)
    set yrange [place + 0.6 : 0.4]   # which the gaps between the cases make a fraction
    eval log_bar_axis(low / 1.2, high, decade_below(low))
    set xlabel "time of the kernel (ms)"
    eval BARS_BESIDE_SEEDS_PLOT
    eval close_figure(figure)
}

# ---- Tables -------------------------------------------------------------------------------------

set print OUT_DIR."/block-limits.md"
do for [s in SIDES] {
    n = s + 0
    header = "| case | grid | block |"
    rule = "| :-- | --: | --: |"
    do for [v in SEED_VARIANTS] {
        header = header.sprintf(" seed's %s, %s, ms |", v, SEED_MACHINE)
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
        do for [v in SEED_VARIANTS] { line = line." ".as_printed(seed_ms(v, c, n))." |" }
        do for [v in VARIANTS] {
            line = line." ".(rows_of(v, n) ? ms_or_wrong(ms(v, c, n)) : "-")." |"
        }
        print line
    }
    print ""
}
print MEANS." ".FACTS
unset print
