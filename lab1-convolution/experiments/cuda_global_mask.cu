// cuda_per_pixel with the mask in global memory, for comparison with constant memory.
//
// Against cuda_per_pixel: an arithmetic instruction can take an operand from constant memory. From
// global memory, a load instruction first has to bring it into a register, through the L1 cache.
// All lanes of a warp read the same address, so such a load needs one sector, which hits in L1.
// Predicted: one more load per tap, so slower, most with large masks.
//
// It is slower, but less so with large masks: the loads hit in the L1 cache, and cost an
// instruction for each tap, beside those that a tap has anyway.

#include <span>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

template <int Channels>
static __global__ void convolve_with_global_mask(DeviceView<const std::uint8_t, Channels> in,
                                                 DeviceView<std::uint8_t, Channels> out,
                                                 const Mask* mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const int k = mask->radius();
    for (int c = 0; c < Channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                sum += in.at(x + j, y + i, c) * mask->at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

void cuda_global_mask(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    const void* mask =
        options.scratch->constants(0, std::as_bytes(std::span(&options.mask, 1)), stream);
    if (in.channels == 1) {
        convolve_with_global_mask<1>
            <<<grid, threads, 0, stream>>>(in, out, static_cast<const Mask*>(mask));
    } else {
        convolve_with_global_mask<3>
            <<<grid, threads, 0, stream>>>(in, out, static_cast<const Mask*>(mask));
    }
    common::check_launch();
}

static const Register registered{{.name = "cuda_global_mask",
                                  .backend = common::Backend::cuda,
                                  .idea = "as cuda_per_pixel; mask in global memory"},
                                 cuda_global_mask};

}  // namespace convolution
