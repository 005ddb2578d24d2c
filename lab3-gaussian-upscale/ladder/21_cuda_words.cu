// cuda_unrolled loads and stores single bytes. A load takes as long for a byte as for a word. Here
// a thread owns 12 bytes of a source row: whole words, and whole pixels with 1 and with 3 channels
// (problem/row_words.cuh). It loads them with their halo as words, and stores its 24 output bytes
// in each row as three double words. Adjacent pixels of a thread also share taps, so each byte is
// converted once for all of them.
//
// At the border of the image, the halo repeats the first or the last pixel. Threads there load byte
// by byte.
//
// Bound by multiply-adds and conversions: every source row is resampled once for each of the 2r+1
// rows around it.
//
// Predicted from the machine code (sm_90, radius 2, colour): 37 instructions per output byte
// instead of 50, so 1.35 times as fast; one in 40 is a load or a store, instead of one in 7.
//
// At 1920x1080 it is slower than cuda_unrolled. A likely reason is the border: at 7680x4320, one
// warp in 30 has a border thread, at 1920x1080 two in 15. That thread loads 140 bytes one by one,
// while the other lanes wait (`run --explain`).

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

template <int Channels, int Radius>
static __global__ void upscale_words(DeviceView<const std::uint8_t> in,
                                     DeviceView<std::uint8_t> out, const Weights weights) {
    const std::ptrdiff_t thread = std::ptrdiff_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::ptrdiff_t first = thread * owned;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (first >= in.row_length() || y >= in.height) return;
    float upper[columns] = {};
    float lower[columns] = {};
#pragma unroll(Radius <= 2 ? 2 * Radius + 1 : 1)
    for (int j = 0; j <= 2 * Radius; ++j) {
        RowWords<Channels, Radius> row;
        row.load(in.row(min(max(y - Radius + j, 0), in.height - 1)), first, in.row_length());
#pragma unroll
        for (int i = 0; i < columns; ++i) {
            const float sum = row.resampled(weights, i);
            upper[i] += sum * weights.values[j];
            lower[i] += sum * weights.values[2 * Radius - j];
        }
    }
    const std::ptrdiff_t left = out.row_length() - 2 * first;
    store(out.row(2 * y) + 2 * first, upper, left);
    store(out.row(2 * y + 1) + 2 * first, lower, left);
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
    const common::Block block = options.block.value_or(common::Block{32, 4});
    if (block.threads() > most_threads) {
        throw common::Unsupported("cuda_words: block " + common::to_string(block) +
                                  " has more than the " + std::to_string(most_threads) +
                                  " threads for which there are registers");
    }
    const int threads = (in.row_length() + owned - 1) / owned;
    const dim3 grid = common::grid_for(threads, in.height, block);
    upscale_words<Channels, Radius>
        <<<grid, common::threads_of(block), 0, stream>>>(in, out, options.weights);
    common::check_launch();
}

void cuda_words(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                const Options& options, cudaStream_t stream) {
    const auto launch_with = in.channels == 1 ? launch<1> : launch<3>;
    launch_with(in, out, options, stream);
}

static const Register registered{{.name = "cuda_words",
                                  .backend = common::Backend::cuda,
                                  .idea = "several pixels per thread, with word loads and stores"},
                                 cuda_words,
                                 Traits{.operations = shared_rows_operations}};

}  // namespace upscale
