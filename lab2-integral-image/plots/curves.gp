# The axes of a curve over the side of the image, for the next figure.
load PLOTS."/shades.gp"
set ylabel "time of the kernel (ms)"
set xlabel "side of the image (pixels); bands: ".SPREAD
set xrange [0:*]
