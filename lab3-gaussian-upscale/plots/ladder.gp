do for [FIGURE in figures("ladder")] {
    NOTES = "notes".FIGURE[strlen("ladder") + 1:*]
    set title heading(word(list_of(NOTES, "title"), 1))
    set xlabel "time of the kernel (ms; lines: ".SPREAD.")\n× is the speedup over " \
        .word(list_of(NOTES, "over"), 1)."\n".word(list_of(NOTES, "crosses"), 1)
    load ROWS
}
