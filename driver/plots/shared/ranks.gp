FIGURE = "ranks-strong"
Y_AXIS = "own"
set yrange [0:*]
set title heading("Strong scaling at ".(exists("STRONG") ? STRONG : "").": ranks with one thread each, and threads")
set xlabel "ranks or threads; bands: ".SPREAD
set xtics 1
set ylabel "speedup over one (times)"
load LINES

FIGURE = "ranks-weak"
Y_AXIS = "own"
set yrange [0:*]
set title heading("Weak scaling, ".(exists("WEAK") ? WEAK : "")." for each rank")
set xlabel "ranks or threads; bands: ".SPREAD
set xtics 1
set ylabel "time of one over the time of all (1: ideal)"
load LINES
