# Figures and tables of the experiment `occupancy`: registers, shared memory and theoretical
# occupancy of every kernel by block size, beside report 004's section 4.3. Called as
# common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/equalizing.gp"

eval open_times("occupancy")
eval text("kernel")
do for [column in "registers shared_bytes blocks_per_multiprocessor" \
    ." occupancy_percent"] { eval number(column) }
eval open_other("report", HERE."/report_occupancy.csv")
do for [column in "kernel block"] { eval other_text("report", column) }
do for [column in "registers shared_bytes occupancy_percent"] {
    eval other_number("report", column)
}

# The cases are the blocks that were asked for; some kernels have blocks of their own choice.
BLOCKS = CASES
eval define_least("kernel_row(v, k, b)", "registers", \
    "variant[r] eq v && kernel[r] eq k && case[r] eq b")
eval define_least("any_row(v, k)", "registers", "variant[r] eq v && kernel[r] eq k")

# A kernel is named by a row of it.
KERNELS = ""
do for [r=1:ROWS] {
    if (kernel[r] ne "" && any_row(variant[r], kernel[r]) == r) {
        KERNELS = KERNELS.sprintf(" %d", r)
    }
}

percent(r) = sprintf("%.0f%%", occupancy_percent[r])

# ---- Times by block -----------------------------------------------------------------------------

row_at(k, i) = row_of(word(VARIANTS, k), word(BLOCKS, i))
eval series("kernel_ms_mean", numbers(words(VARIANTS)), numbers(words(BLOCKS)))
if (DRAWN ne "") {
    eval open_series("occupancy-time", 3, 3)
    set title heading("Histogram equalization at ".size[1]." by block")
    set ylabel "time of the kernels (ms; bars: ".SPREAD.")"
    set xlabel "block (threads)"
    eval value_axis
    eval category_axis(BLOCKS)
    eval CATEGORIES_PLOT
    eval close_figure("occupancy-time")
}

# ---- Tables -------------------------------------------------------------------------------------

set print OUT_DIR."/occupancy.md"
if (row_of_variant(REPORT_VARIANT)) {
    print sprintf("**Report 004's section 4.3 (%s) and %s**\n", REPORT_MACHINE, REPORT_VARIANT)
    print "| kernel | block | report 004's registers | registers | its shared bytes" \
        ." | shared bytes | blocks per multiprocessor | its occupancy | occupancy |"
    print "| :-- | --: | --: | --: | --: | --: | --: | --: | --: |"
    do for [i=1:report_ROWS] {
        r = kernel_row(REPORT_VARIANT, report_kernel[i], report_block[i])
        line = sprintf("| %s | %s |", report_kernel[i], report_block[i])
        if (r) {
            print line.sprintf(" %d | %d | %d | %d | %d | %.0f%% | %s |", report_registers[i], \
                registers[r], report_shared_bytes[i], shared_bytes[r], \
                blocks_per_multiprocessor[r], report_occupancy_percent[i], percent(r))
        } else {
            print line.sprintf(" %d | - | %d | - | - | %.0f%% | - |", report_registers[i], \
                report_shared_bytes[i], report_occupancy_percent[i])
        }
    }
    print ""
}

# Of shared bytes that depend on the block, the least and the most.
eval define_least("least_shared(v, k)", "shared_bytes", "variant[r] eq v && kernel[r] eq k")
array minus_shared[ROWS]
do for [r=1:ROWS] { minus_shared[r] = -shared_bytes[r] }
eval define_least("most_shared(v, k)", "minus_shared", "variant[r] eq v && kernel[r] eq k")
shared_text(a, b) = a == b ? sprintf("%d", a) : sprintf("%d to %d", a, b)

header = "| variant | kernel | registers | shared bytes |"
rule = "| :-- | :-- | --: | --: |"
do for [b in BLOCKS] {
    header = header.sprintf(" %s |", b)
    rule = rule." --: |"
}
print sprintf("**Theoretical occupancy of all kernels (and blocks per multiprocessor) by block, " \
    ."and the time of the variant at %s**\n", size[1])
print header
print rule
do for [v in VARIANTS] {
    do for [word_ in KERNELS] {
        r = word_ + 0
        if (variant[r] ne v) { continue }
        line = sprintf("| %s | %s | %d | %s |", v, kernel[r], registers[r], \
            shared_text(shared_bytes[least_shared(v, kernel[r])], \
                shared_bytes[most_shared(v, kernel[r])]))
        do for [b in BLOCKS] {
            row = kernel_row(v, kernel[r], b)
            line = line.(row ? sprintf(" %s (%d) |", percent(row), blocks_per_multiprocessor[row]) \
                : " - |")
        }
        print line
    }
    line = sprintf("| %s | time | | |", v)
    do for [b in BLOCKS] {
        y = kernel_at(v, b)
        line = line.(known(y) ? sprintf(" %s ms |", exact(y)) \
            : row_of(v, b) ? sprintf(" %s |", WRONG) : " - |")
    }
    print line
}
print "\n".MEANS." ".FACTS
unset print
