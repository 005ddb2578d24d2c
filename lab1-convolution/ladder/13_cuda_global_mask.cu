// cuda_per_pixel with the mask in global memory, for comparison with constant memory.
//
// Against cuda_per_pixel: an arithmetic instruction can take an operand from constant memory; from
// global memory it has to be loaded into a register first, by an instruction of its own that goes
// the way of the pixels, through the L1 cache. All lanes of a warp read the same address, so such a
// load is one sector and hits in L1. Predicted: a load more per tap, so slower, most with large
// masks.

#include <span>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "problem/variant.hpp"
#include "problem/weighted_sum.hpp"

namespace convolution {

using common::DeviceView;

template <int Channels>
static __global__ void convolve_with_global_mask(DeviceView<const std::uint8_t> in,
                                                 DeviceView<std::uint8_t> out, const Mask* mask) {
    in.channels = out.channels = Channels;
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= in.width || y >= in.height) return;
    for (int c = 0; c < Channels; ++c) out.at(x, y, c) = weighted_sum(in, *mask, x, y, c);
}

void cuda_global_mask(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    const void* mask =
        options.scratch->constants(0, std::as_bytes(std::span(&options.mask, 1)), stream);
    const auto kernel =
        in.channels == 1 ? convolve_with_global_mask<1> : convolve_with_global_mask<3>;
    kernel<<<grid, threads, 0, stream>>>(in, out, static_cast<const Mask*>(mask));
    common::check_launch();
}

static const Register registered{{.name = "cuda_global_mask",
                                  .backend = common::Backend::cuda,
                                  .idea = "as cuda_per_pixel; mask in global memory"},
                                 cuda_global_mask};

}  // namespace convolution
