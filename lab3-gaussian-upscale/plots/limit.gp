# Tables and figures of the experiment `limit`. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
COMMON = system("dirname '".ARG0."'")."/../../common/plots"
load COMMON."/style.gp"

# NPP's cubic method has other weights than ours and OpenCV's; no more than that, so it stands with
# them.
CASE = "method"
RENAME_CASES = "do for [r=1:ROWS] { if (work[r] eq 'lagrange') { work[r] = 'bicubic' } }"
FIGURES = "gauss bicubic"
TARGETS = "cuda_best gauss 7680x4320 copy - 65" \
    ." cuda_best gauss 7680x4320 peer_npp bicubic 4" \
    ." omp_best gauss 7680x4320 peer_opencv bicubic 4" \
    ." omp_best bicubic 7680x4320 peer_opencv bicubic 4"
load COMMON."/limit.gp"
