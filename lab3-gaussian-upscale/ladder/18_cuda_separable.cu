// The rungs before spend (2r+1)^2 taps on each output pixel. The weights are products of one for x
// and one for y, so the sum over a square of taps is a sum over a column of sums over rows. The
// horizontal pass computes the sums over rows, for all output columns but source rows only; the
// vertical pass sums those over columns.
//
// A pair of output rows takes (2r+1) + 2 (2r+1) taps per column instead of 2 (2r+1)^2. The price is
// an intermediate image of floats, so that nothing is rounded twice: 8 bytes per source value,
// written once and read 2r+1 times, mostly from the caches. Bound by the instructions around the
// multiply-add in both passes.
//
// It is slower than cuda_shared. It needs a quarter of the float operations, but nearly as many
// instructions per output byte: the channels of a pixel no longer share clamps and addresses. And
// warps wait longer for loads from the intermediate image (long scoreboard).

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// One thread per pixel of the intermediate image, which has the input's height and the output's
/// width.
template <int Channels>
static __global__ void horizontal_pass(DeviceView<const std::uint8_t, Channels> in,
                                       DeviceView<float, Channels> sums, const Weights weights) {
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= sums.width || y >= sums.height) return;
    const int step = direction(X);
    for (int c = 0; c < Channels; ++c) {
        float sum = 0;
        for (int i = -weights.radius; i <= weights.radius; ++i) {
            const int x = min(max(X / 2 + i * step, 0), in.width - 1);
            sum += in.at(x, y, c) * weights.at(i);
        }
        sums.at(X, y, c) = sum;
    }
}

/// One thread per output value: adjacent lanes access adjacent values, whatever their channel, so
/// all accesses are coalesced.
static __global__ void vertical_pass(DeviceView<const float> sums, DeviceView<std::uint8_t> out,
                                     const Weights weights) {
    const std::ptrdiff_t x = std::ptrdiff_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.row_length() || Y >= out.height) return;
    const int step = direction(Y);
    float sum = 0;
    for (int j = -weights.radius; j <= weights.radius; ++j) {
        const int y = min(max(Y / 2 + j * step, 0), sums.height - 1);
        sum += sums.row(y)[x] * weights.at(j);
    }
    out.row(Y)[x] = to_pixel(sum);
}

void cuda_separable(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    const std::size_t values = out.row_length() * in.height;
    auto* data = static_cast<float*>(options.scratch->get(0, values * sizeof(float)));
    const std::ptrdiff_t pitch = out.row_length();
    const DeviceView<float> sums{data, out.width, in.height, out.channels, pitch};

    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const dim3 of_sums = common::grid_for(sums.width, sums.height, block);
    if (in.channels == 1) {
        horizontal_pass<1><<<of_sums, threads, 0, stream>>>(in, sums, options.weights);
    } else {
        horizontal_pass<3><<<of_sums, threads, 0, stream>>>(in, sums, options.weights);
    }
    common::check_launch();
    const DeviceView<const float> finished{data, out.width, in.height, out.channels, pitch};
    const dim3 grid = common::grid_for(out.row_length(), out.height, block);
    vertical_pass<<<grid, threads, 0, stream>>>(finished, out, options.weights);
    common::check_launch();
}

static const Register registered{{.name = "cuda_separable",
                                  .backend = common::Backend::cuda,
                                  .idea = "a horizontal pass, then a vertical pass"},
                                 cuda_separable,
                                 Traits{.operations = separable_operations}};

}  // namespace upscale
