// Task B. One thread per pixel.
//
// Given: docs/first-kernel.md. Wanted: a kernel and its launch.
//
// Predicted: …
// Measured: …

/* Alone, in the folder of the lab:

nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr -I../common/include -I. \
    one.cu ladder/10_cuda_pixels.cu -o rung && ./rung
*/

#include "common/cuda.cuh"
#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace @{space}@ {

using common::DeviceView;

void cuda_pixels([[maybe_unused]] DeviceView<const std::uint8_t> in,
                 [[maybe_unused]] DeviceView<std::uint8_t> out,
                 [[maybe_unused]] const Options& options, [[maybe_unused]] cudaStream_t stream) {
    throw common::NotDoneYet();
}

static const Register registered{
    {.name = "cuda_pixels", .backend = common::Backend::cuda, .idea = "one thread per pixel"},
    cuda_pixels};

}  // namespace @{space}@
