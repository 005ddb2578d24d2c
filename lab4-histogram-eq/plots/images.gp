FIGURE = "images"
HEIGHT = 580   # four decades
BELOW = 4.5
set title heading("Histogram equalization from host to host, beside report 004's (".REPORT_CPU \
    .", ".REPORT_MACHINE.")")
set ylabel "time from host to host (ms)"
set xlabel "picture, with its size in pixels; lc: low contrast, di: dark interior, f: foggy," \
    ."\no: overexposed, u: underexposed, hr: high resolution" offset 0, -0.6
load DOTS

FIGURE = "images-kernels"
set title heading("Histogram equalization of ".LARGEST)
set xlabel "time of the kernels, without transfers (ms; lines: ".SPREAD \
    .")\n× is the speedup over ".BASELINE."; crosses: report 004's (" \
    .REPORT_CPU.", ".REPORT_MACHINE.")"
XLABEL = 1
load ROWS
