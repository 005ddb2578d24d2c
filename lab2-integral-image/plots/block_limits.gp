do for [FIGURE in figures("block-limits")] {
    side = FIGURE[strlen("block-limits-") + 1:*]
    set title heading("Integral image at ".side."x".side \
        ." by the definition, beside report 002's (RTX 3070 Ti)")
    set xlabel "time of the kernel (ms; lines: ".SPREAD."); crosses: report 002's"
    load ROWS
}
