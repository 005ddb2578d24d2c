// The stores of cuda_sliding are not coalesced. Adjacent lanes store double words that are 24 bytes
// apart, so each of the three stores of a row covers 24 sectors and fills a third of their bytes
// (`run --explain`). Here the lanes of a warp exchange their 24 output bytes through shared memory:
// a lane writes its three double words there, and stores three that are 256 bytes apart. Adjacent
// lanes then store adjacent double words, 8 full sectors per request.
//
// The exchange takes three writes and three reads of shared memory for 24 bytes. The stride of 24
// bytes has no bank conflicts: 3 double words are coprime to the 16 that the banks deliver at once.
// All lanes of a warp take part, so those beyond the end of a row go on, with clamped loads. For
// radii above 2 a thread computes 8 columns at a time, as in cuda_sliding, and stores them itself.
//
// Predicted: the time of cuda_sliding over the time for its instructions (0.6 ms against 0.2 ms) is
// that of the stores. A third of the sectors leaves about 0.25 ms (7680x4320, radius 2, colour).

#include <string>

#include "common/cuda.cuh"
#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/row_words.cuh"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// Source rows that a thread computes. More would save work, but leave fewer threads.
static constexpr int segment = 32;

static constexpr int lanes = 32;
static constexpr int words = columns / 8;  // double words of a lane in an output row
static constexpr int most_threads = 256;

using Staged = uint2[lanes * words];  // an output row of a warp

/// Stores the columns of all lanes of a warp, which begin at `to`, in a row with `left` bytes.
static __device__ void store_row(Staged& staged, std::uint8_t* to, const float (&sums)[columns],
                                 std::ptrdiff_t left) {
    const int lane = static_cast<int>(threadIdx.x) % lanes;
#pragma unroll
    for (int w = 0; w < words; ++w) staged[lane * words + w] = packed(sums + 8 * w);
    __syncwarp();
#pragma unroll
    for (int w = 0; w < words; ++w) {
        const int at = w * lanes + lane;
        store(to + 8 * at, staged[at], left - 8 * at);
    }
    __syncwarp();
}

/// Computes columns [Begin, Begin + Columns) of a thread's 24, for source rows [top, bottom).
template <int Channels, int Radius, int Begin, int Columns>
static __device__ void slide(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                             const Weights& weights, std::ptrdiff_t first, int top, int bottom,
                             Staged& staged) {
    constexpr int last = 2 * Radius;
    const std::ptrdiff_t first_of_warp = first - threadIdx.x % lanes * owned;
    const auto store_columns = [&](int y, const float(&sums)[Columns]) {
        const std::ptrdiff_t begin = 2 * (Columns == columns ? first_of_warp : first) + Begin;
        const std::ptrdiff_t left = out.row_length() - begin;
        if constexpr (Columns == columns) {
            store_row(staged, out.row(y) + begin, sums, left);
        } else {
            store(out.row(y) + begin, sums, left);
        }
    };
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
        store_columns(2 * y, upper);
        store_columns(2 * y + 1, lower);
    }
}

template <int Channels, int Radius>
static __global__ void upscale_staged(DeviceView<const std::uint8_t> in,
                                      DeviceView<std::uint8_t> out, const Weights weights) {
    __shared__ Staged staged_rows[most_threads / lanes];
    Staged& staged = staged_rows[(threadIdx.y * blockDim.x + threadIdx.x) / lanes];
    const std::ptrdiff_t thread =
        static_cast<std::ptrdiff_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::ptrdiff_t first = thread * owned;
    const int top = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * segment;
    if (top >= in.height) return;  // a whole warp: its lanes have the same threadIdx.y
    const int bottom = min(top + segment, in.height);
    if constexpr (Radius <= 2) {
        slide<Channels, Radius, 0, columns>(in, out, weights, first, top, bottom, staged);
    } else {
        slide<Channels, Radius, 0, 8>(in, out, weights, first, top, bottom, staged);
        slide<Channels, Radius, 8, 8>(in, out, weights, first, top, bottom, staged);
        slide<Channels, Radius, 16, 8>(in, out, weights, first, top, bottom, staged);
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
    if (block.width % lanes != 0 || block.threads() > most_threads) {
        throw common::Unsupported("cuda_staged: the rows of a block have to be whole warps, and " +
                                  std::to_string(most_threads) + " threads are the most");
    }
    const auto threads = static_cast<int>((in.row_length() + owned - 1) / owned);
    const dim3 grid = common::grid_for(threads, (in.height + segment - 1) / segment, block);
    upscale_staged<Channels, Radius>
        <<<grid, common::threads_of(block), 0, stream>>>(in, out, options.weights);
    common::check_launch();
}

void cuda_staged(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const auto launch_with = in.channels == 1 ? launch<1> : launch<3>;
    launch_with(in, out, options, stream);
}

static const Register registered{{.name = "cuda_staged",
                                  .backend = common::Backend::cuda,
                                  .idea = "output rows through shared memory: coalesced stores"},
                                 cuda_staged,
                                 Traits{.operations = separable_operations}};

}  // namespace upscale
