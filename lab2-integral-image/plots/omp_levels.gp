load LAB."/plots/curves.gp"
FIGURE = "omp-levels"
set title heading("Integral image by the definition: which loops are divided among threads")
load LINES
