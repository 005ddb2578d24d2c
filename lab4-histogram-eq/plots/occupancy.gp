FIGURE = "occupancy-time"
set title heading("Histogram equalization at ".SIZE." by block")
set ylabel "time of the kernels (ms; bars: ".SPREAD.")"
set xlabel "block (threads)"
load DOTS
