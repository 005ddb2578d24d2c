do for [FIGURE in figures("block-sizes")] {
    load LAB."/plots/curves.gp"
    Y_AXIS = "own"
    set yrange [0:*]
    kernel = FIGURE[strlen("block-sizes-") + 1:*]
    set title heading("Integral image by the definition, " \
        .(kernel eq "" ? "on the GPU" : "cuda_".kernel).": time with every block")
    load LINES
}

load LAB."/plots/curves.gp"
FIGURE = "l1-cache"
Y_AXIS = "own"
set yrange [0:*]
set title heading("Integral image by the definition, blocks of ".BLOCK \
    .": with the L1 cache and without")
load LINES
