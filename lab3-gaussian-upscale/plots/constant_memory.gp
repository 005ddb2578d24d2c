# Figure and table of the experiment `constant_memory`. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
COMMON = system("dirname '".ARG0."'")."/../../common/plots"
load COMMON."/style.gp"

WHAT = "Upscaling by 2"
NUMBERS = "weights"
COUNT = "radius"
COUNT_LABEL = "radius r of the Gaussian (source pixels), (2r + 1)² taps per output pixel"
PLACES = "cuda_constant cuda_constant_symbol cuda_global_weights"
load COMMON."/constant_memory.gp"
