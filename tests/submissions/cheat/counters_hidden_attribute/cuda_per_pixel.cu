// Its kernel is compiled without the calls that count. The name of the attribute is put together.

#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using Input = common::DeviceView<const std::uint8_t>;
using Output = common::DeviceView<std::uint8_t>;

static __device__ float load(Input in, int x, int y, int c) {
    return in.at(x, y, c);
}

#define JOIN(a, b) a##b
#define HIDDEN JOIN(__attri, bute__)((JOIN(no_sani, tize)("thread")))

HIDDEN
#include "parts/kernel_lab1.hpp"

static const Register registered{
    {.name = "cuda_per_pixel", .backend = common::Backend::cuda, .idea = "a submission"}, honest};

}  // namespace convolution
