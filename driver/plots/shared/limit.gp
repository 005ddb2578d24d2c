# A figure for each kind of work: how near every variant comes to a copy.
do for [FIGURE in figures("limit-")] {
    KIND = "bars"
    TO = 100
    set title heading("How near to a copy: ".FIGURE[strlen("limit-")+1:*].", ".LARGEST_SIZE)
    copy = exists("COPY_GPU") ? COPY_GPU : exists("COPY_CPU") ? COPY_CPU : ""
    set xlabel "data rate (% of the best copy of as many bytes, ".copy."; lines: ".SPREAD.")"
    LINE = 100
    set label "copy" at first 100, graph 1 right offset character -0.5, 0.4 textcolor rgb TEXT
    load ROWS
}
