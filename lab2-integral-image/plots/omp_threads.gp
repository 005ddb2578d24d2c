load LAB."/plots/curves.gp"
FIGURE = "omp-threads"
Y_AXIS = "own"
set yrange [0:*]
set title heading("Integral image by the definition: time with each number of threads")
load LINES

load LAB."/plots/curves.gp"
FIGURE = "omp-threads-speedup"
Y_AXIS = "own"
set yrange [0:*]
set title heading("Integral image by the definition: speedup over seq_naive")
set ylabel "speedup of the kernel (times)"
set xlabel "side of the image (pixels); bands: quartiles of both times"
set format y "%g×"
load LINES
