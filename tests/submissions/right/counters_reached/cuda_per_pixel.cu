// Right: one thread for a pixel, so few enough warps.

#include "parts/cuda_lab1_tools.hpp"

namespace convolution {

static const Register registered{mine_info, honest};

}  // namespace convolution
