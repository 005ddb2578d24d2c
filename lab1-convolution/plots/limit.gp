# Tables and figures of the experiment `limit`. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
COMMON = system("dirname '".ARG0."'")."/../../common/plots"
load COMMON."/style.gp"

CASE = "filter"
FIGURES = "gauss3 irregular5"
TARGETS = "cuda_best gauss3 7680x4320 copy - 75" \
    ." cuda_best gauss3 7680x4320 peer_npp gauss3 2" \
    ." cuda_best sharpen 7680x4320 copy - 75" \
    ." cuda_best sharpen 7680x4320 peer_npp sharpen 2" \
    ." cuda_best irregular5 7680x4320 copy - 50" \
    ." cuda_best irregular5 7680x4320 peer_npp irregular5 3" \
    ." cuda_best unsharp5 7680x4320 copy - 50" \
    ." cuda_best unsharp5 7680x4320 peer_npp unsharp5 3" \
    ." cuda_best gauss5 7680x4320 copy - 70" \
    ." omp_best gauss3 7680x4320 peer_opencv gauss3 4" \
    ." omp_best sharpen 7680x4320 peer_opencv sharpen 4" \
    ." omp_best irregular5 7680x4320 peer_opencv irregular5 5" \
    ." omp_best unsharp5 7680x4320 peer_opencv unsharp5 5" \
    ." omp_best gauss5 7680x4320 peer_opencv gauss5 8"
load COMMON."/limit.gp"
