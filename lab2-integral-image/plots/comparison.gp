load LAB."/plots/curves.gp"
FIGURE = "comparison"
HEIGHT = 600   # seven decades, and many curves in the lower ones
set title heading("Integral image: time against size")
load LINES
