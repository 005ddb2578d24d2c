// cuda_shared with the L1 cache off: global loads are cached in L2 only
//
// CMakeLists.txt compiles this file with -Xptxas=-dlcm=cg. The original report (002) asks what the
// L1 cache is worth to each of the two kernels.

#define VARIANT_SUFFIX "_l1_off"
#include "11_cuda_shared.cu"
