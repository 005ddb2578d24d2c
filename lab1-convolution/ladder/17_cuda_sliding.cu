// A sliding window. A thread owns four neighbouring bytes and walks down the image. It loads and
// converts the words of each row once, and adds them to the sums of the n output rows whose windows
// contain this row. These sums are in registers. Each step completes one output row and begins
// another.
//
// Against cuda_words, which is bound by latency, and converts each byte once per row of the mask:
// once per thread. Nothing is left that a tile could save, so there is no shared memory and no
// barrier: the words of neighbouring threads overlap by the halo only, and the L1 cache serves
// these loads. A thread begins 2k rows above its own; with at most 24 rows per thread, that is 8%
// more rows with gauss3.
//
// Bound by instructions. Predicted: 2.1 times as fast as cuda_words with gauss3 and 1.8 times with
// gauss5, with 35 instructions per value instead of 74, and 69 instead of 123 (SASS for sm_90). It
// gains more: there is no barrier, and with gauss3 a thread needs so few registers that all 64
// warps fit a multiprocessor.

#include <algorithm>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/sizes.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static constexpr int most_threads = 256;  // of a block: the sums take many registers

/// The bits of the word at byte `at` of a row that are inside the image.
static __device__ unsigned bits_inside(std::ptrdiff_t at, std::ptrdiff_t row_length) {
    const std::ptrdiff_t left = row_length - at;
    if (at < 0 || left <= 0) return 0;
    return left >= 4 ? ~0U : (1U << 8 * left) - 1;
}

/// The bytes of words as floats, zero where `kept` has no bits. Rows begin at multiples of 16 bytes
/// and are padded: a word that begins inside a row may be loaded whole.
template <int Words>
static __device__ void load(const unsigned* row, const unsigned (&kept)[Words], bool row_inside,
                            float (&values)[4 * Words]) {
#pragma unroll
    for (int w = 0; w < Words; ++w) {
        const unsigned bits = row_inside ? kept[w] : 0U;
        const unsigned word = bits != 0 ? row[w] & bits : 0U;
#pragma unroll
        for (int b = 0; b < 4; ++b) values[4 * w + b] = word >> 8 * b & 0xff;
    }
}

/// Writes the thread's four bytes of a row, where they are inside the image.
static __device__ void store(std::uint8_t* to, const float (&sums)[4], int count) {
    const uchar4 pixels{to_pixel(sums[0]), to_pixel(sums[1]), to_pixel(sums[2]), to_pixel(sums[3])};
    if (count >= 4) {
        *reinterpret_cast<uchar4*>(to) = pixels;
        return;
    }
    to[0] = pixels.x;
    if (count > 1) to[1] = pixels.y;
    if (count > 2) to[2] = pixels.z;
}

template <int N, int Channels>
static __global__ void __launch_bounds__(most_threads)
    convolve_sliding(DeviceView<const std::uint8_t, Channels> in,
                     DeviceView<std::uint8_t, Channels> out, const Mask mask, int rows) {
    constexpr int halo = (N / 2 * Channels + 3) / 4;
    const std::ptrdiff_t begin = 4 * (std::ptrdiff_t{blockIdx.x} * blockDim.x + threadIdx.x);
    const int thread_y = blockIdx.y * blockDim.y + threadIdx.y;
    const int top = thread_y * rows;
    const int bottom = min(top + rows, in.height);
    if (begin >= in.row_length() || top >= in.height) return;
    constexpr int words = 1 + 2 * halo;
    const std::ptrdiff_t first = begin - 4 * halo;
    unsigned kept[words];
#pragma unroll
    for (int w = 0; w < words; ++w) kept[w] = bits_inside(first + 4 * w, in.row_length());
    const int count = min(in.row_length() - begin, std::ptrdiff_t{4});
    std::ptrdiff_t from = (std::ptrdiff_t{top} - N / 2) * in.pitch + first;
    std::uint8_t* to = out.row(top) + begin;
    float sums[N][4] = {};  // of the output rows y - k to y + k
#pragma unroll 1
    for (int y = top - N / 2; y < bottom + N / 2; ++y, from += in.pitch) {
        float values[4 * words];
        load(reinterpret_cast<const unsigned*>(in.data + from), kept, y >= 0 && y < in.height,
             values);
#pragma unroll
        for (int b = 0; b < 4; ++b) {
            const float* window = values + 4 * halo - N / 2 * Channels + b;
#pragma unroll
            for (int r = 0; r < N; ++r) {
                float sum = r + 1 < N ? sums[r + 1][b] : 0.0f;
#pragma unroll
                for (int j = 0; j < N; ++j) {
                    sum += window[j * Channels] * mask.weights[(N - 1 - r) * N + j];
                }
                sums[r][b] = sum;
            }
        }
        if (y - N / 2 < top) continue;
        store(to, sums[0], count);
        to += out.pitch;
    }
}

template <int N, int Channels>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Mask& mask, common::Block block, cudaStream_t stream) {
    const std::ptrdiff_t columns = (in.row_length() + 3) / 4;
    // More rows per thread load fewer rows twice, but leave fewer threads to hide latency.
    constexpr std::ptrdiff_t enough_threads = 1 << 17;
    const int rows = std::clamp<std::ptrdiff_t>(columns * in.height / enough_threads, 1, 24);
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(columns, (in.height + rows - 1) / rows, block);
    convolve_sliding<N, Channels><<<grid, threads, 0, stream>>>(in, out, mask, rows);
    common::check_launch();
}

void cuda_sliding(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 4});
    if (block.threads() > most_threads) {
        throw common::Unsupported("cuda_sliding: block " + common::to_string(block) +
                                  " has more than the " + std::to_string(most_threads) +
                                  " threads for which there are registers");
    }
    with_size(options.mask.size, [&]<int N>() {
        in.channels == 1 ? launch<N, 1>(in, out, options.mask, block, stream)
                         : launch<N, 3>(in, out, options.mask, block, stream);
    });
}

static const Register registered{
    {.name = "cuda_sliding",
     .backend = common::Backend::cuda,
     .idea = "sliding window: a thread walks down, sums of n rows in registers"},
    cuda_sliding};

}  // namespace convolution
