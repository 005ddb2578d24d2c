# Figure and table of the experiment `constant_memory`. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
COMMON = system("dirname '".ARG0."'")."/../../common/plots"
load COMMON."/style.gp"

WHAT = "Convolution"
NUMBERS = "mask"
COUNT = "mask_size"
COUNT_LABEL = "side n of the n × n mask (weights)"
PLACES = "cuda_per_pixel cuda_constant_symbol cuda_global_mask"
load COMMON."/constant_memory.gp"
