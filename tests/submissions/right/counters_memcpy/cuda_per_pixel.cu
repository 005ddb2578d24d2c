// Right: loads pixels with memcpy, which is counted like loads of bytes.

#include <cstring>

#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using Input = common::DeviceView<const std::uint8_t>;
using Output = common::DeviceView<std::uint8_t>;

static __device__ float load(Input in, int x, int y, int c) {
    std::uint8_t pixel[3];
    std::memcpy(pixel, &in.at(x, y), in.channels);
    return pixel[c];
}

#include "parts/kernel_lab1.hpp"

static const Register registered{
    {.name = "cuda_per_pixel", .backend = common::Backend::cuda, .idea = "a submission"}, honest};

}  // namespace convolution
