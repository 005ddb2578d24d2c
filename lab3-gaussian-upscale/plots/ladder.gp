do for [FIGURE in figures("ladder")] {
    NOTES = "notes".FIGURE[strlen("ladder") + 1:*]
    note(column) = word(list_of(NOTES, column), 1)
    set title heading(note("title"))
    set xlabel "time of the kernel (ms; lines: ".SPREAD.")\n× is the speedup over ".note("over") \
        .(note("crosses") eq "" ? "" : "\n".note("crosses"))
    XLABEL = note("crosses") eq "" ? 1 : 2
    load ROWS
}
