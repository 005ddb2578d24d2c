// Separable masks. If the mask is a column times a row, a thread computes the sum along the row of
// the window once, and adds its multiples to the sums of n output rows: 2n multiply-adds per value
// instead of n * n, one more if the middle weight differs. Other masks are as in cuda_sliding.
//
// Against cuda_sliding, which is bound by instructions: 11 multiply-adds per value instead of 25
// with 5x5, 7 instead of 9 with 3x3. Bound by the instructions that load, unpack and store four
// bytes.
//
// Predicted: 1.2 times as fast as cuda_sliding with gauss3 and 1.3 times with gauss5, with 28
// instructions per value instead of 35, and 53 instead of 69 (SASS for sm_90).

#include <algorithm>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "ladder/parts/separable.hpp"
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
static __device__ void store(std::uint8_t* to, const float (&sums)[4], float scale, int count) {
    const uchar4 pixels{to_pixel(scale * sums[0]), to_pixel(scale * sums[1]),
                        to_pixel(scale * sums[2]), to_pixel(scale * sums[3])};
    if (count >= 4) {
        *reinterpret_cast<uchar4*>(to) = pixels;
        return;
    }
    to[0] = pixels.x;
    if (count > 1) to[1] = pixels.y;
    if (count > 2) to[2] = pixels.z;
}

template <int N, int Channels, bool Separable>
static __global__ void __launch_bounds__(most_threads)
    convolve_separable(DeviceView<const std::uint8_t, Channels> in,
                       DeviceView<std::uint8_t, Channels> out, const Decomposition mask, int rows) {
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
            float along = 0;
#pragma unroll
            for (int j = 0; j < N; ++j) along += window[j * Channels] * mask.row[j];
#pragma unroll
            for (int r = 0; r < N; ++r) {
                const int i = N - 1 - r;  // row of the mask
                float sum = r + 1 < N ? sums[r + 1][b] : 0.0f;
                if constexpr (Separable) {
                    sum += along * mask.column[i];
                    if (i == N / 2) sum += window[i * Channels] * mask.centre;
                } else {
#pragma unroll
                    for (int j = 0; j < N; ++j) {
                        sum += window[j * Channels] * mask.weights[i * N + j];
                    }
                }
                sums[r][b] = sum;
            }
        }
        if (y - N / 2 < top) continue;
        store(to, sums[0], mask.scale, count);
        to += out.pitch;
    }
}

template <int N, int Channels, bool Separable>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Decomposition& mask, common::Block block, cudaStream_t stream) {
    const std::ptrdiff_t columns = (in.row_length() + 3) / 4;
    constexpr std::ptrdiff_t enough_threads = 1 << 17;  // as in cuda_sliding
    const int rows = std::clamp<std::ptrdiff_t>(columns * in.height / enough_threads, 1, 24);
    const dim3 grid = common::grid_for(columns, (in.height + rows - 1) / rows, block);
    convolve_separable<N, Channels, Separable>
        <<<grid, common::threads_of(block), 0, stream>>>(in, out, mask, rows);
    common::check_launch();
}

void cuda_separable(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 4});
    if (block.threads() > most_threads) {
        throw common::Unsupported("cuda_separable: block " + common::to_string(block) +
                                  " has more than the " + std::to_string(most_threads) +
                                  " threads for which there are registers");
    }
    const Decomposition mask = decompose(options.mask);
    with_size(mask.size, [&]<int N>() {
        const auto choose = [&]<int Channels>() {
            mask.separable ? launch<N, Channels, true>(in, out, mask, block, stream)
                           : launch<N, Channels, false>(in, out, mask, block, stream);
        };
        in.channels == 1 ? choose.template operator()<1>() : choose.template operator()<3>();
    });
}

static const Register registered{
    {.name = "cuda_separable",
     .backend = common::Backend::cuda,
     .idea = "separable masks: a sum along the row first, then its multiples to n rows"},
    cuda_separable};

}  // namespace convolution
