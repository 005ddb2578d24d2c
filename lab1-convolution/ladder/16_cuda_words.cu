// Several values per thread, in words. A thread computes four neighbouring bytes of a row. The tile
// consists of words of four bytes, which threads load and store whole. Each thread loads the tile's
// words in its column of the block and those a block further, without a division.
//
// Against cuda_unrolled, which is bound by instructions: many of these load the tile byte by byte.
// A load from shared memory brings one byte there, four here. Four values share the addresses, the
// tests for the edge and the store. Each byte is still converted once per row of the mask.
//
// Predicted: 1.5 times as fast as cuda_unrolled, with 74 instructions per value instead of 121 with
// gauss3, and 123 instead of 188 with gauss5 (SASS for sm_90).
//
// The prediction fails because instructions no longer bound it. Requests do not bound it either:
// there are half as many loads from global memory, and a quarter of the loads from shared memory
// (`run --explain`). But a thread needs so many registers that half as many warps fit a
// multiprocessor. They hide less of the latency of loading the tile, for which all warps of a block
// wait at the barrier.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/sizes.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

/// Words of the halo on each side.
template <int N, int Channels>
static constexpr int halo_words = (N / 2 * Channels + 3) / 4;

/// Four bytes of row y from byte `at`, zero outside the image. Rows begin at multiples of 16 bytes
/// and are padded: a word that begins inside a row may be loaded whole.
template <int Channels>
static __device__ unsigned load_word(DeviceView<const std::uint8_t, Channels> in, int y,
                                     std::ptrdiff_t at) {
    const std::ptrdiff_t left = in.row_length() - at;
    if (y < 0 || y >= in.height || at < 0 || left <= 0) return 0;
    const unsigned word = *reinterpret_cast<const unsigned*>(in.row(y) + at);
    return left >= 4 ? word : word & ((1U << 8 * left) - 1);
}

/// The bytes of words as floats.
template <int Words>
static __device__ void unpack(const unsigned (&words)[Words], float (&values)[4 * Words]) {
#pragma unroll
    for (int b = 0; b < 4 * Words; ++b) {
        values[b] = words[b / 4] >> b % 4 * 8 & 0xff;
    }
}

/// Writes the thread's four bytes of a row, where they are inside the image.
static __device__ void store(std::uint8_t* to, const float (&sums)[4], std::ptrdiff_t left) {
    const uchar4 pixels{to_pixel(sums[0]), to_pixel(sums[1]), to_pixel(sums[2]), to_pixel(sums[3])};
    if (left >= 4) {
        *reinterpret_cast<uchar4*>(to) = pixels;
        return;
    }
    to[0] = pixels.x;
    if (left > 1) to[1] = pixels.y;
    if (left > 2) to[2] = pixels.z;
}

template <int N, int Channels>
static __global__ void convolve_words(DeviceView<const std::uint8_t, Channels> in,
                                      DeviceView<std::uint8_t, Channels> out, const Mask mask) {
    extern __shared__ unsigned tile_of_words[];
    constexpr int halo = halo_words<N, Channels>;
    const int width = blockDim.x;
    const int height = blockDim.y;
    const int left = blockIdx.x * blockDim.x;
    const int top = blockIdx.y * blockDim.y;
    const int tile_words = width + 2 * halo;
    const int tile_rows = height + N - 1;
    for (int r = threadIdx.y; r < tile_rows; r += height) {
        for (int w = threadIdx.x; w < tile_words; w += width) {
            tile_of_words[r * tile_words + w] =
                load_word(in, top - N / 2 + r, 4 * (std::ptrdiff_t{left} - halo + w));
        }
    }
    __syncthreads();

    const int y = top + threadIdx.y;
    const std::ptrdiff_t begin = 4 * (std::ptrdiff_t{left} + threadIdx.x);
    if (begin >= in.row_length() || y >= in.height) return;
    float sums[4] = {};
#pragma unroll
    for (int i = 0; i < N; ++i) {
        unsigned words[1 + 2 * halo];
        const unsigned* row = tile_of_words + (threadIdx.y + i) * tile_words + threadIdx.x;
#pragma unroll
        for (int w = 0; w < 1 + 2 * halo; ++w) words[w] = row[w];
        float values[4 * (1 + 2 * halo)];
        unpack(words, values);
#pragma unroll
        for (int b = 0; b < 4; ++b) {
            const float* window = values + 4 * halo - N / 2 * Channels + b;
#pragma unroll
            for (int j = 0; j < N; ++j) {
                sums[b] += window[j * Channels] * mask.weights[i * N + j];
            }
        }
    }
    store(out.row(y) + begin, sums, in.row_length() - begin);
}

template <int N, int Channels>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const int words = (block.width + 2 * halo_words<N, Channels>)*(block.height + N - 1);
    const std::size_t bytes = sizeof(unsigned) * words;
    if (bytes > 48 * 1024) {  // the limit without cudaFuncSetAttribute
        throw common::Unsupported("cuda_words: the tile of block " + common::to_string(block) +
                                  " needs " + std::to_string(bytes) +
                                  " bytes of shared memory; 49152 are available");
    }
    const int columns = (in.row_length() + 3) / 4;
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(columns, in.height, block);
    convolve_words<N, Channels><<<grid, threads, bytes, stream>>>(in, out, options.mask);
    common::check_launch();
}

void cuda_words(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                const Options& options, cudaStream_t stream) {
    with_size(options.mask.size, [&]<int N>() {
        in.channels == 1 ? launch<N, 1>(in, out, options, stream)
                         : launch<N, 3>(in, out, options, stream);
    });
}

static const Register registered{{.name = "cuda_words",
                                  .backend = common::Backend::cuda,
                                  .idea = "four bytes per thread, a tile of words"},
                                 cuda_words};

}  // namespace convolution
