FIGURE = "contention"
HEIGHT = 580   # several decades, and many points in the lower ones
set title heading("Histogram equalization at ".SIZE." by distribution of the levels")
set ylabel "time of the kernels (ms; bars: ".SPREAD.")"
set xlabel "levels of the pixels (skewed: half of them have one level, a quarter the next, …)"
load DOTS
