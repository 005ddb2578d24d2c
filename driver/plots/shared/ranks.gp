FIGURE = "ranks-strong"
if (has_data(FIGURE)) {
    set title heading("Strong scaling at ".STRONG.": ranks with one thread each, and threads")
    set xlabel "ranks or threads; bands: ".SPREAD."; beyond what is measured, the model projects"
    set ylabel "speedup over one (times)"
    set logscale xy 2
    set format y "%.3g"
    set xrange [1 : 64]
    set yrange [* : 64]
    set arrow from 1, 1 to 64, 64 nohead back linecolor rgb TEXT dashtype (2,4) linewidth 1
    set label "as many times as ranks" at 64, 64 right offset character -6, -0.5 textcolor rgb TEXT
    HEIGHT = 560
    Y_AXIS = "own"
    load LINES
}
FIGURE = "ranks-weak"
if (has_data(FIGURE)) {
    set title heading("Weak scaling, ".WEAK." for each rank")
    set xlabel "ranks or threads; bands: ".SPREAD
    set ylabel "time of one over the time of all (1: ideal)"
    set xtics 1
    set yrange [0 : *]
    Y_AXIS = "own"
    load LINES
}
FIGURE = "ranks-link"
if (has_data(FIGURE)) {
    set title heading("A message between two ranks: half of a ping-pong")
    set xlabel "bytes of the message"
    set ylabel "time (microseconds)"
    set logscale xy 2
    set xtics ("1" 1, "32" 32, "1 KiB" 1024, "32 KiB" 32768, "1 MiB" 1048576)
    Y_AXIS = "own"
    load LINES
}
FIGURE = "ranks-gpus"
if (has_data(FIGURE)) {
    set title heading("Several GPUs: mpi_nccl beside cuda_best on one")
    set xlabel "GPUs; bands: ".SPREAD
    set ylabel "rate, of the GPUs times cuda_best on one (%)"
    set xtics 1
    set yrange [0 : *]
    Y_AXIS = "own"
    load LINES
}
