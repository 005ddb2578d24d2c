// Task B. One thread per pixel, which computes the channels of its pixel one after the other.
//
// Given: ladder/10_cuda_per_channel.cu, which has one thread per channel. Wanted: a kernel and its
// launch. The handout has the goal and hints.
//
// Predicted: …
// Measured: …

#include "common/cuda.cuh"
#include "common/error.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

void cuda_per_pixel([[maybe_unused]] DeviceView<const std::uint8_t> in,
                    [[maybe_unused]] DeviceView<std::uint8_t> out,
                    [[maybe_unused]] const Options& options, [[maybe_unused]] cudaStream_t stream) {
    throw common::NotDoneYet();
}

static const Register registered{{.name = "cuda_per_pixel",
                                  .backend = common::Backend::cuda,
                                  .idea = "one thread per pixel, loop over the channels"},
                                 cuda_per_pixel};

}  // namespace convolution
