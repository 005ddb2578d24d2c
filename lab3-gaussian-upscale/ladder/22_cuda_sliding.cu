// cuda_words resamples every source row 2r+1 times, once for each of the rows around it. Here a
// thread slides down a segment of the image and keeps the last 2r+1 resampled rows in registers (a
// sliding window). Each new source row is resampled once, and completes the window for two output
// rows: the filter is separable, without an intermediate image in memory.
//
// A segment begins by filling the window with 2r rows, which its neighbour resamples too. The
// window has (2r+1) * 24 floats. For radii above 2 that is too many registers, so a thread slides
// down three times, with 8 columns each.
//
// Predicted from the machine code (sm_90, radius 2, colour): 17 instructions per output byte
// instead of 37, so twice as fast. It is no faster than cuda_words. Nsight Compute confirms the
// instructions, but a thread has about twice as many registers. So fewer than half as many warps
// are active, too few to hide latency, and most cycles pass without an instruction.
//
// Bound by latency. Its stores are not coalesced either: those of adjacent lanes are 24 bytes
// apart, so each of the three covers all 24 sectors and fills a third of their bytes. Small images
// have few segments: 510 warps at 1920x1080, for the 528 warp schedulers of 132 multiprocessors. A
// call takes the time of one segment there, little more than at 256x256.

#include <string>

#include "common/cuda.cuh"
#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/row_words.cuh"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// A thread has up to 255 registers, a block 65,536.
static constexpr int most_threads = 256;

/// Source rows that a thread computes. More would save work, but leave fewer threads.
static constexpr int segment = 32;

/// Computes columns [Begin, Begin + Columns) of a thread's 24, for source rows [top, bottom).
template <int Channels, int Radius, int Begin, int Columns>
static __device__ void slide(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                             const Weights& weights, std::ptrdiff_t first, int top, int bottom) {
    constexpr int last = 2 * Radius;
    const std::ptrdiff_t left = out.row_length() - 2 * first - Begin;
    float window[last + 1][Columns] = {};
#pragma unroll(Radius <= 2 ? last + 1 : 1)
    for (int y = top - last; y < bottom; ++y) {
        RowWords<Channels, Radius> row;
        row.load(in.row(min(max(y + Radius, 0), in.height - 1)), first, in.row_length());
        float upper[Columns];
        float lower[Columns];
#pragma unroll
        for (int i = 0; i < Columns; ++i) {
            for (int k = 0; k < last; ++k) window[k][i] = window[k + 1][i];
            window[last][i] = row.resampled(weights, Begin + i);
            upper[i] = lower[i] = 0;
            for (int k = 0; k <= last; ++k) {
                upper[i] += window[k][i] * weights.values[k];
                lower[i] += window[k][i] * weights.values[last - k];
            }
        }
        if (y < top) continue;  // the window is not complete yet
        store(out.row(2 * y) + 2 * first + Begin, upper, left);
        store(out.row(2 * y + 1) + 2 * first + Begin, lower, left);
    }
}

template <int Channels, int Radius>
static __global__ void upscale_sliding(DeviceView<const std::uint8_t> in,
                                       DeviceView<std::uint8_t> out, const Weights weights) {
    const std::ptrdiff_t thread = std::ptrdiff_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::ptrdiff_t first = thread * owned;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int top = y * segment;
    if (first >= in.row_length() || top >= in.height) return;
    const int bottom = min(top + segment, in.height);
    if constexpr (Radius <= 2) {
        slide<Channels, Radius, 0, 24>(in, out, weights, first, top, bottom);
    } else {
        slide<Channels, Radius, 0, 8>(in, out, weights, first, top, bottom);
        slide<Channels, Radius, 8, 8>(in, out, weights, first, top, bottom);
        slide<Channels, Radius, 16, 8>(in, out, weights, first, top, bottom);
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
    const common::Block block = options.block.value_or(common::Block{64, 1});
    if (block.threads() > most_threads) {
        throw common::Unsupported("cuda_sliding: block " + common::to_string(block) +
                                  " has more than the " + std::to_string(most_threads) +
                                  " threads for which there are registers");
    }
    const int threads = (in.row_length() + owned - 1) / owned;
    const dim3 grid = common::grid_for(threads, (in.height + segment - 1) / segment, block);
    upscale_sliding<Channels, Radius>
        <<<grid, common::threads_of(block), 0, stream>>>(in, out, options.weights);
    common::check_launch();
}

void cuda_sliding(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Options& options, cudaStream_t stream) {
    const auto launch_with = in.channels == 1 ? launch<1> : launch<3>;
    launch_with(in, out, options, stream);
}

static const Register registered{{.name = "cuda_sliding",
                                  .backend = common::Backend::cuda,
                                  .idea = "resampled rows in a sliding window in registers"},
                                 cuda_sliding,
                                 Traits{.operations = separable_operations}};

}  // namespace upscale
