// cuda_phases does not know the radius when it is compiled. So its loops count, every weight is
// loaded from constant memory by an instruction of its own, and x is clamped again in each row of
// taps. Here the radius is a template parameter, with a kernel for each. The loop over a row of
// taps unrolls: a multiply-add reads its weight from constant memory as an operand, and the clamped
// columns are computed once per thread and stay in registers.
//
// Bound by loads and stores of single bytes, by conversions, and by multiply-adds.
//
// Predicted from the machine code (sm_90, radius 2, colour): 50 instructions per output byte
// instead of 80, so 1.6 times as fast.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

template <int Channels, int Radius>
static __global__ void upscale_unrolled(DeviceView<const std::uint8_t> in,
                                        DeviceView<std::uint8_t, Channels> out,
                                        const Weights weights) {
    constexpr int last = 2 * Radius;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    std::ptrdiff_t columns[last + 1];
    for (int i = 0; i <= last; ++i) {
        columns[i] = std::ptrdiff_t{min(max(x - Radius + i, 0), in.width - 1)} * Channels;
    }
    float sums[2][2][Channels] = {};  // by phase in y, phase in x, channel
#pragma unroll(Radius <= 2 ? last + 1 : 1)
    for (int j = 0; j <= last; ++j) {
        const std::uint8_t* row = in.row(min(max(y - Radius + j, 0), in.height - 1));
        float even[Channels] = {};
        float odd[Channels] = {};
#pragma unroll
        for (int i = 0; i <= last; ++i) {
            for (int c = 0; c < Channels; ++c) {
                const float value = row[columns[i] + c];
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

/// Launches the kernel for the radius of the weights.
template <int Channels, int Radius = 1>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Options& options, cudaStream_t stream) {
    if constexpr (Radius < Weights::max_radius) {
        if (options.weights.radius > Radius) {
            return launch<Channels, Radius + 1>(in, out, options, stream);
        }
    }
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 grid = common::grid_for(in.width, in.height, block);
    upscale_unrolled<Channels, Radius>
        <<<grid, common::threads_of(block), 0, stream>>>(in, out, options.weights);
    common::check_launch();
}

void cuda_unrolled(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Options& options, cudaStream_t stream) {
    const auto launch_with = in.channels == 1 ? launch<1> : launch<3>;
    launch_with(in, out, options, stream);
}

static const Register registered{
    {.name = "cuda_unrolled",
     .backend = common::Backend::cuda,
     .idea = "the radius is a template parameter, so the loops over taps unroll"},
    cuda_unrolled,
    Traits{.operations = shared_rows_operations}};

}  // namespace upscale
