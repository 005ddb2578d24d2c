// Right: loads pixels with memcpy, which is counted like loads of bytes.

#include <cstring>

#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __device__ float load(Input in, int x, int y, int c) {
    std::uint8_t pixel[3];
    std::memcpy(pixel, &in.at(x, y), in.channels);
    return pixel[c];
}

#include "parts/kernel_lab1.hpp"

static const Register registered{mine_info, honest};
