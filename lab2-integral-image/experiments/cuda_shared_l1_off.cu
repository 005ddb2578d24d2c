// cuda_shared with the L1 cache off: global loads are cached in L2 only

#include "experiments/parts/l1_off.hpp"

#include "ladder/11_cuda_shared.cu"
