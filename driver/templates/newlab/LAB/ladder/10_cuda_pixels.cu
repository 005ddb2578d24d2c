// One thread per pixel.
//
// Bound by the memory: two bytes for each value.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace @{space}@ {

using common::DeviceView;

static __global__ void invert_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                    [[maybe_unused]] const Options options) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= in.width || y >= in.height) return;
    for (int c = 0; c < in.channels; ++c) {
        out.at(x, y, c) = static_cast<std::uint8_t>(255 - in.at(x, y, c));
    }
}

void cuda_pixels(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    invert_pixel<<<common::grid_for(in.width, in.height, block), threads, 0, stream>>>(in, out,
                                                                                       options);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_pixels", .backend = common::Backend::cuda, .idea = "one thread per pixel"},
    cuda_pixels};

}  // namespace @{space}@
