# Tables and figures of the experiment `limit`. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
COMMON = system("dirname '".ARG0."'")."/../../common/plots"
load COMMON."/style.gp"

CASE = "case"
# A library or scan in 32 bits at 8192x8192: pixels up to 31. On the CPU, 1.6 times the time of a
# copy is 62.5 % of its rate.
FIGURES = "32-bit 64-bit"
TARGETS = "cuda_best 32-bit 8192x8192 copy - 80" \
    ." omp_best 32-bit 8192x8192 copy - 62.5"
load COMMON."/limit.gp"
