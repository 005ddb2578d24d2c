# Tables and figures of the experiment `limit`. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
COMMON = system("dirname '".ARG0."'")."/../../common/plots"
load COMMON."/style.gp"

CASE = "case"
FIGURES = "landscape"
TARGETS = "cuda_best landscape 3072x4096 peer_npp landscape 2" \
    ." cuda_best landscape 7680x4320 copy3 - 60" \
    ." cuda_streamed landscape 3072x4096 total:seq landscape 1" \
    ." omp_best landscape 7680x4320 peer_opencv landscape 1.5" \
    ." omp_best landscape 3072x4096 peer_opencv landscape 1.5"
load COMMON."/limit.gp"
