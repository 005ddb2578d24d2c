# The tables and figures of the experiment `limit`, which every lab has. The lab's limit.gp loads
# this after common/plots/style.gp and these:
#
#     CASE = "filter"       # the column that tells problems of one size apart
#     FIGURES = "gauss3"    # the cases that get a figure
#     TARGETS = "…"         # what the lab wants to reach: six words for each target
#
# The words of a target are the variant; the case; the size; what it is compared with; the case of
# that; and the goal. Compared with `copy`, the goal is the least percentage of the rate of a copy
# that moves every byte of input and output once; with `copy3`, of one that moves three bytes for
# two; with a variant, how many times as fast; with `total:VARIANT`, the same from host to host.
# Targets of CPU variants are for two threads; beside a GPU they are left out if more were used.

eval open_csv("limit")
do for [column in "width height threads total_ms_mean percent_of_copy empty_ms"] {
    eval number(column)
}
eval text("parameters")
eval text("backend")
eval text(CASE)
array work[ROWS]
array size[ROWS]
array pixels[ROWS]
do for [r=1:ROWS] {
    eval sprintf("work[r] = %s[r]", CASE)
    size[r] = sprintf("%dx%d", width[r], height[r])
    pixels[r] = width[r] * height[r]
}
if (exists("RENAME_CASES")) { eval RENAME_CASES }
eval distinct("CASES", "work")
eval define_least("more_pixels(n)", "pixels", "pixels[r] > n")
SIZES = ""
row = more_pixels(0)
while (row) {
    SIZES = with_word(SIZES, size[row])
    row = more_pixels(pixels[row])
}
LARGEST = word(SIZES, words(SIZES))

eval define_least("row_of(v, c, s)", "width", "variant[r] eq v && work[r] eq c && size[r] eq s")
eval define_least("gpu_row(s)", "empty_ms", "size[r] eq s")
eval define_least("timed_in(v, c)", "kernel_ms_mean", "variant[r] eq v && work[r] eq c")
ms_of(v, c, s) = (r_ = row_of(v, c, s), r_ ? kernel_ms_mean[r_] : NaN)
total_of(v, c, s) = (r_ = row_of(v, c, s), r_ ? total_ms_mean[r_] : NaN)
# In brackets, if the data have it: between the quartiles, in percent of the time.
spread_of(v, c, s) = (r_ = row_of(v, c, s), !QUARTILES || !r_ ? "" \
    : sprintf(" (%.1f %%)", 100 * (kernel_high[r_] - kernel_low[r_]) / kernel_ms_mean[r_]))
percent_of(v, c, s) = (r_ = row_of(v, c, s), r_ ? percent_of_copy[r_] : NaN)

# ---- Targets ------------------------------------------------------------------------------------

set print OUT_DIR."/targets.md"
print "| work | variant | compared with | goal | measured | met |"
print "| :-- | :-- | :-- | --: | --: | :-- |"
do for [t=0:words(TARGETS)/6 - 1] {
    v = word(TARGETS, 6 * t + 1)
    c = word(TARGETS, 6 * t + 2)
    s = word(TARGETS, 6 * t + 3)
    with = word(TARGETS, 6 * t + 4)
    its_case = word(TARGETS, 6 * t + 5)
    goal = word(TARGETS, 6 * t + 6) + 0
    row = row_of(v, c, s)
    if (row && backend[row] ne "cuda" && threads[row] != 2 && gpu_row(s)) { continue }
    unit = "times as fast"
    if (with eq "copy" || with eq "copy3") {
        y = percent_of(v, c, s) * (with eq "copy3" ? 1.5 : 1)
        unit = "%"
        told = with eq "copy" ? "a copy of as many bytes" : "a copy of 3 bytes per pixel"
    } else { if (with[1:strlen("total")] eq "total") {
        peer = with[strlen("total:") + 1 : strlen(with)]
        y = total_of(peer, its_case, s) / total_of(v, c, s)
        told = peer.", host to host"
    } else {
        y = ms_of(with, its_case, s) / ms_of(v, c, s)
        told = with
    } }
    if (!known(y)) { continue }
    print sprintf("| %s, %s | %s | %s | %g %s | %s | %s |", c, s, v, told, goal, unit, \
        exact(y), y >= goal ? "yes" : "no")
}
print "\n".MEANS." ".FACTS
unset print

# ---- Everything that was measured ---------------------------------------------------------------

set print OUT_DIR."/limit.md"
do for [c in CASES] {
    header = "| variant |"
    rule = "| :-- |"
    do for [s in SIZES] {
        header = header.sprintf(" %s, ms | %% of copy |", s)
        rule = rule." --: | --: |"
    }
    print sprintf("**%s**\n", c)
    print header
    print rule
    do for [v in VARIANTS] {
        if (!timed_in(v, c)) { continue }
        line = sprintf("| %s |", v)
        do for [s in SIZES] {
            line = line.sprintf(" %s%s | %s |", exact(ms_of(v, c, s)), spread_of(v, c, s), \
                exact(percent_of(v, c, s)))
        }
        print line
    }
    empty = "| an empty kernel |"
    do for [s in SIZES] {
        empty = empty.sprintf(" %s | - |", gpu_row(s) ? exact(empty_ms[gpu_row(s)]) : "-")
    }
    if (gpu_row(LARGEST)) { print empty }
    print ""
}
BRACKETS = " In brackets: from quartile to quartile, in percent of the time."
print MEANS.(QUARTILES ? BRACKETS : "")." ".FACTS
unset print

# ---- Figures ------------------------------------------------------------------------------------

do for [c in FIGURES] {
    place = 0
    high = 100
    set print $DOTS
    print DOTS_HEADER
    do for [v in VARIANTS] {
        r = row_of(v, c, LARGEST)
        if (!r) { continue }
        y = percent_of_copy[r]
        place = place + 1
        high = larger(larger(y, high_of("percent_of_copy", r)), high)
        print dot(look_of(v), place, y, low_of("percent_of_copy", r), \
            high_of("percent_of_copy", r), known(y) ? sprintf("%s %% (%s ms)", exact(y), \
            exact(kernel_ms_mean[r])) : known(kernel_ms_mean[r]) ? \
            sprintf("too noisy (%s ms)", exact(kernel_ms_mean[r])) : WRONG, v)
    }
    unset print
    if (place == 0) { continue }
    eval open_rows("limit-".c, place)
    set title heading(sprintf("How near to a copy: %s, %s", c, LARGEST))
    eval row_axis(high, high)
    set xlabel "data rate (% of a copy of as many bytes on the same memory; lines: ".SPREAD.")"
    eval COPY_DOWN
    label_at_x(x) = x < 100 && x + 0.31 * high > 100 ? 100 : x
    eval BARS_PLOT
    eval close_figure("limit-".c)
}
