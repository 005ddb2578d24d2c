FIGURE = "mask-sizes"
HEIGHT = 560
set title heading("Convolution at ".SIZE.": time against the size of the mask")
set xlabel "side n of the n × n mask (weights); bands: ".SPREAD
set ylabel "time of the kernel (ms)"
set xrange [2.5:15.5]
set xtics 3, 2
load LINES
