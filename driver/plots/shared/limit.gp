# A figure for each kind of work: how near every variant comes to a copy.
do for [FIGURE in figures("limit-")] {
    KIND = "bars"
    TO = 100
    set title heading("How near to a copy: ".FIGURE[strlen("limit-")+1:*].", ".LARGEST_SIZE)
    set xlabel "data rate (% of a copy of as many bytes on the same memory; lines: ".SPREAD.")"
    eval COPY_DOWN
    load ROWS
}
