do for [FIGURE in figures("blocks-")] {
    set title heading("Convolution at ".FIGURE[strlen("blocks-")+1:*].": speedup over seq for each block, ".FILTERS)
    set xlabel "pixels of a block (width × height)"
    set ylabel "speedup of the kernel (times); bands: quartiles of both times"
    set logscale x 2
    load LINES
}

FIGURE = "mean-speedup"
set title heading("Convolution: mean speedup over seq (".ALL_RUNS.")")
set xlabel "speedup of the kernel (times), quartiles of both times; dashed: copy limit"
FORMAT = "%g×"
TO = COPY_SPEEDUP
LINE = COPY_SPEEDUP
load ROWS

FIGURE = "mean-time"
set title heading("Convolution: mean time (".ALL_RUNS.")")
set xlabel "time (ms): kernel, and ○ host to host; dashed: a copy on the GPU"
FROM = COPY_MS
LINE = COPY_MS
load ROWS

FIGURE = "filters"
HEIGHT = 560
set title heading("Convolution at ".LARGEST.": time of every filter, with the best block")
set xlabel "filter; bars: ".SPREAD
set ylabel "time of the kernel (ms)"
load DOTS
