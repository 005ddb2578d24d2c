// The rungs before load, convert and address every tap once per output pixel. The four output
// pixels of a source pixel have the same taps, because their phases mirror each other: the even
// phase weights tap k by at(k), the odd phase by at(-k). Here a thread computes all four (register
// blocking).
//
// A row of taps is summed once for each phase in x, and both sums serve both phases in y. Four
// outputs take (2r+1)^2 loads instead of 4 (2r+1)^2, and about half of the multiply-adds. The lanes
// of a warp now have adjacent source pixels, and need no mirrored order.
//
// Bound by the instructions around the multiply-adds: a clamp and an address for each tap, loops,
// and loads of single bytes.
//
// Predicted from the machine code (sm_90, radius 2, colour): about 80 instructions per output byte
// instead of 230 in cuda_constant, so 2.9 times as fast.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// `Channels` is a compile-time constant, so that the sums stay in registers.
template <int Channels>
static __global__ void upscale_phases(DeviceView<const std::uint8_t, Channels> in,
                                      DeviceView<std::uint8_t, Channels> out,
                                      const Weights weights) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const int last = 2 * weights.radius;
    float sums[2][2][Channels] = {};  // by phase in y, phase in x, channel
    for (int j = 0; j <= last; ++j) {
        const int near_y = min(max(y - weights.radius + j, 0), in.height - 1);
        float even[Channels] = {};
        float odd[Channels] = {};
        for (int i = 0; i <= last; ++i) {
            const int near_x = min(max(x - weights.radius + i, 0), in.width - 1);
            for (int c = 0; c < Channels; ++c) {
                const float value = in.at(near_x, near_y, c);
                even[c] += value * weights.values[i];
                odd[c] += value * weights.values[last - i];
            }
        }
        for (int c = 0; c < Channels; ++c) {
            sums[0][0][c] += even[c] * weights.values[j];
            sums[0][1][c] += odd[c] * weights.values[j];
            sums[1][0][c] += even[c] * weights.values[last - j];
            sums[1][1][c] += odd[c] * weights.values[last - j];
        }
    }
    for (int q = 0; q < 4; ++q) {
        for (int c = 0; c < Channels; ++c) {
            out.at(2 * x + q % 2, 2 * y + q / 2, c) = to_pixel(sums[q / 2][q % 2][c]);
        }
    }
}

void cuda_phases(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    if (in.channels == 1) {
        upscale_phases<1><<<grid, threads, 0, stream>>>(in, out, options.weights);
    } else {
        upscale_phases<3><<<grid, threads, 0, stream>>>(in, out, options.weights);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_phases",
     .backend = common::Backend::cuda,
     .idea = "a thread per source pixel: its four output pixels share their taps"},
    cuda_phases,
    Traits{.operations = shared_rows_operations}};

}  // namespace upscale
