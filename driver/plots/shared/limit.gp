# A figure for each kind of work: how near every variant comes to a copy.
do for [FIGURE in figures("limit-")] {
    KIND = "bars"
    TO = 100
    set title heading("How near to a copy: ".FIGURE[strlen("limit-")+1:*].", ".LARGEST_SIZE)
    copy = exists("COPY_GPU") ? COPY_GPU : exists("COPY_CPU") ? COPY_CPU : ""
    set xlabel "data rate (% of the best copy of as many bytes, ".copy."; lines: ".SPREAD.")"
    eval COPY_DOWN
    load ROWS
}
