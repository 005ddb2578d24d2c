// Lab 3, upscaling: kernels with mistakes.

#include "corpus.hpp"

namespace corpus {
namespace {

enum Mistake {
    none,
    no_clamp,
    input_size,
    by_source_pixel,
    small_tile,
    no_barrier,
    three_bytes,
    not_packed,
    one_launch,
    no_second_barrier,
    last_barrier,
    whole_store,
    odd_rows,
};

constexpr int width = 20, height = 10;  // of the input
constexpr int radius = 1;

// --- ladder: a thread per output pixel
// ------------------------------------------------------------

template <Mistake mistake>
__global__ void upscale_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
    const int X = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int Y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (X >= out.width || Y >= out.height) return;
    int sum = 0;
    for (int j = -radius; j <= radius; ++j) {
        const int y = mistake == no_clamp ? Y / 2 + j : min(max(Y / 2 + j, 0), in.height - 1);
        const int x = mistake == input_size ? X : X / 2;
        // fault: constant_no_clamp, constant_input_size
        sum += in.at(x, y);
    }
    out.at(X, Y) = static_cast<std::uint8_t>(sum / 3);
}

template <Mistake mistake>
cudaError_t constant() {
    const Image in(width, height), out(2 * width, 2 * height);
    const dim3 block(16, 16), grid(3, 2);
    upscale_pixel<mistake><<<grid, block>>>(input(in), view(out));
    return cudaGetLastError();
}

/// A thread per source pixel writes 2x2 output pixels.
template <Mistake mistake>
__global__ void upscale_naively(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.x);
    const int Y = mistake == by_source_pixel ? y : 2 * y;
    for (int j = 0; j < 2; ++j) {
        for (int i = 0; i < 2; ++i) {
            // fault: naive_same_rows
            out.at(2 * x + i, Y + j) = in.at(x, y);
        }
    }
}

template <Mistake mistake>
cudaError_t naive() {
    const Image in(width, height), out(2 * width, 2 * height);
    upscale_naively<mistake><<<height, width>>>(input(in), view(out));
    return cudaGetLastError();
}

// --- ladder: a tile in shared memory
// --------------------------------------------------------------

template <Mistake mistake>
__host__ __device__ constexpr int tile_size(int threads) {
    return threads / 2 + 2 * radius + (mistake == small_tile ? 0 : 1);
}

template <Mistake mistake>
__global__ void upscale_tile(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
    extern __shared__ std::uint8_t tile[];
    const int left = static_cast<int>(blockIdx.x * blockDim.x) / 2 - radius;
    const int size = tile_size<mistake>(static_cast<int>(blockDim.x));
    for (int at = static_cast<int>(threadIdx.x); at < size; at += static_cast<int>(blockDim.x)) {
        const int x = min(max(left + at, 0), in.width - 1);
        // fault: tile_of_source_no_barrier
        tile[at] = in.at(x, static_cast<int>(blockIdx.y) / 2);
    }
    if (mistake != no_barrier) __syncthreads();
    const int X = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (X >= out.width) return;
    const std::uint8_t* centre = tile + X / 2 - left;
    // fault: tile_of_source_small, tile_of_source_no_barrier
    const int sum = centre[-1] + centre[0] + centre[1];
    out.at(X, static_cast<int>(blockIdx.y)) = static_cast<std::uint8_t>(sum / 3);
}

template <Mistake mistake>
cudaError_t tile() {
    const Image in(width, height), out(2 * width, 2 * height);
    constexpr unsigned threads = 15;  // odd: the last thread has a pixel more to its right
    const dim3 grid(3, 2 * height);
    upscale_tile<mistake><<<grid, threads, static_cast<std::size_t>(tile_size<mistake>(threads))>>>(
        input(in), view(out));
    return cudaGetLastError();
}

// --- ladder: pixels of four bytes
// -----------------------------------------------------------------

template <Mistake mistake>
__global__ void pack(DeviceView<const std::uint8_t> in, DeviceView<uchar4> out) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.x);
    if (mistake == three_bytes) {
        // fault: uchar4_three_bytes
        out.at(x, y) = *reinterpret_cast<const uchar4*>(&in.at(x, y, 0));
    } else {
        out.at(x, y) = uchar4{in.at(x, y, 0), in.at(x, y, 1), in.at(x, y, 2), 255};
    }
}

__global__ void upscale_uchar4(DeviceView<const uchar4> in, DeviceView<uchar4> out) {
    const int X = static_cast<int>(threadIdx.x);
    const int Y = static_cast<int>(blockIdx.x);
    // fault: uchar4_not_packed
    out.at(X, Y) = in.at(X / 2, Y / 2);
}

template <Mistake mistake>
cudaError_t uchar4_pixels() {
    const Image in(3 * width, height);
    const Memory<uchar4> packed_in(width * height), packed_out(4 * width * height);
    const DeviceView<uchar4> packed{packed_in, width, height, 1, width};
    const DeviceView<const uchar4> from{packed_in, width, height, 1, width};
    const DeviceView<uchar4> to{packed_out, 2 * width, 2 * height, 1, 2 * width};
    if (mistake != not_packed) pack<mistake><<<height, width>>>(input(in, 3), packed);
    upscale_uchar4<<<2 * height, 2 * width>>>(from, to);
    return cudaGetLastError();
}

// --- ladder: two passes
// ---------------------------------------------------------------------------

__device__ void horizontal_pass(DeviceView<const std::uint8_t> in, DeviceView<float> sums, int y) {
    const int X = static_cast<int>(threadIdx.x);
    // fault: passes_one_launch
    if (y < in.height) sums.at(X, y) = static_cast<float>(in.at(X / 2, y));
}

__device__ void vertical_pass(DeviceView<float> sums, DeviceView<std::uint8_t> out, int Y) {
    const int X = static_cast<int>(threadIdx.x);
    const int y = max(Y / 2 - 1, 0);
    // fault: passes_one_launch
    const float sum = sums.at(X, y) + sums.at(X, Y / 2);
    out.at(X, Y) = static_cast<std::uint8_t>(sum / 2);
}

__global__ void both_passes(DeviceView<const std::uint8_t> in, DeviceView<float> sums,
                            DeviceView<std::uint8_t> out) {
    const int y = static_cast<int>(blockIdx.x);
    horizontal_pass(in, sums, y);
    __syncthreads();
    vertical_pass(sums, out, y);
}

__global__ void first_pass(DeviceView<const std::uint8_t> in, DeviceView<float> sums) {
    horizontal_pass(in, sums, static_cast<int>(blockIdx.x));
}

__global__ void second_pass(DeviceView<float> sums, DeviceView<std::uint8_t> out) {
    vertical_pass(sums, out, static_cast<int>(blockIdx.x));
}

template <Mistake mistake>
cudaError_t passes() {
    const Image in(width, height), out(2 * width, 2 * height);
    const Memory<float> memory(2 * width * height, 0.0f);
    const DeviceView<float> sums{memory, 2 * width, height, 1, 2 * width};
    if (mistake == one_launch) {
        both_passes<<<2 * height, 2 * width>>>(input(in), sums, view(out));
    } else {
        first_pass<<<height, 2 * width>>>(input(in), sums);
        second_pass<<<2 * height, 2 * width>>>(sums, view(out));
    }
    return cudaGetLastError();
}

// --- expert: both passes in a block, 8 output bytes per store
// -------------------------------------

constexpr int columns = 8;  // of the output, for a thread

template <Mistake mistake>
__global__ void upscale_segment(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
    __shared__ float resampled[64];
    const int thread = static_cast<int>(threadIdx.x);
    for (int y = 0; y < in.height; ++y) {
        // fault: segment_no_barrier
        resampled[thread] = static_cast<float>(in.at(min(thread, in.width - 1), y));
        __syncthreads();
        // fault: segment_no_barrier
        const auto value = static_cast<unsigned>(resampled[thread ^ 32]);
        const int left = out.width - columns * thread;
        std::uint8_t* to = out.row(y) + columns * thread;
        if (left >= columns || (mistake == whole_store && left > 0)) {
            // fault: segment_whole_store
            __stcs(reinterpret_cast<uint2*>(to), make_uint2(value, value));
        } else {
            for (int i = 0; i < left; ++i) to[i] = static_cast<std::uint8_t>(value);
        }
        if (mistake == last_barrier && left <= 0) return;
        // fault: segment_last_barrier
        if (mistake != no_second_barrier) __syncthreads();
    }
}

template <Mistake mistake>
cudaError_t segment() {
    const Image in(width, height), out(2 * width + 4, 2 * height);  // not a multiple of 8
    upscale_segment<mistake><<<1, 64>>>(input(in), view(out));
    return cudaGetLastError();
}

template <Mistake mistake>
__global__ void upscale_small(DeviceView<std::uint8_t> out) {
    const int Y = 2 * static_cast<int>(blockIdx.x) - 1;  // a window lies between two output rows
    for (int row = Y; row <= Y + 1; ++row) {
        if (row < 0 || (mistake != odd_rows && row >= out.height)) continue;
        // fault: small_odd_rows
        out.at(static_cast<int>(threadIdx.x), row) = 1;
    }
}

template <Mistake mistake>
cudaError_t small() {
    const Image out(2 * width, 2 * height);
    upscale_small<mistake><<<height + 1, 2 * width>>>(view(out));
    return cudaGetLastError();
}

}  // namespace

std::vector<Case> lab3_cases() {
    using enum Tool;
    const std::string ladder = "lab3-gaussian-upscale/ladder/";
    const std::string expert = "lab3-gaussian-upscale/expert/fused_separable/";
    return with_file(
        {
            {"constant_no_clamp", ladder + "11_cuda_constant.cu", "upscale_pixel",
             "source rows are not clamped to the image",
             "out of bounds: a 1-byte load of global memory", memcheck, constant<no_clamp>,
             constant<none>},
            {"constant_input_size", ladder + "11_cuda_constant.cu", "upscale_pixel",
             "the output's x is taken for the input's",
             "out of bounds: a 1-byte load of global memory", memcheck, constant<input_size>,
             constant<none>},
            {"naive_same_rows", ladder + "10_cuda_naive.cu", "upscale_naively",
             "two blocks write the same output row", "race between blocks", racecheck,
             naive<by_source_pixel>, naive<none>},
            {"tile_of_source_small", ladder + "14_cuda_shared.cu", "upscale_tile",
             "the tile is a pixel too small for an odd block",
             "out of bounds: a 1-byte load of shared memory", memcheck, tile<small_tile>,
             tile<none>},
            {"tile_of_source_no_barrier", ladder + "14_cuda_shared.cu", "upscale_tile",
             "no barrier between loading and using", "race in shared memory", racecheck,
             tile<no_barrier>, tile<none>},
            {"uchar4_three_bytes", ladder + "15_cuda_uchar4.cu", "pack",
             "a pixel of three bytes is loaded as one of four",
             "misaligned access as 'const struct uchar4'", memcheck, uchar4_pixels<three_bytes>,
             uchar4_pixels<none>},
            {"uchar4_not_packed", ladder + "15_cuda_uchar4.cu", "upscale_uchar4",
             "the kernel that packs is not launched",
             "memory never written is read: a 4-byte load of global memory", initcheck,
             uchar4_pixels<not_packed>, uchar4_pixels<none>},
            {"passes_one_launch", ladder + "18_cuda_separable.cu", "both_passes",
             "both passes in one launch: rows of other blocks may not be there yet",
             "race between blocks", racecheck, passes<one_launch>, passes<none>},
            {"segment_no_barrier", expert + "cuda_best.cu", "upscale_segment",
             "no barrier before the next row is resampled", "race in shared memory", racecheck,
             segment<no_second_barrier>, segment<none>},
            {"segment_last_barrier", expert + "cuda_best.cu", "upscale_segment",
             "threads beyond the image leave the loop before the barrier",
             "__syncthreads() that not all threads reach", synccheck, segment<last_barrier>,
             segment<none>},
            {"segment_whole_store", expert + "output_rows.cuh", "upscale_segment",
             "the last store of a row is not cut short", "-byte store of global memory", memcheck,
             segment<whole_store>, segment<none>},
            {"small_odd_rows", expert + "small_image.cuh", "upscale_small",
             "no test for the last row", "out of bounds: a 1-byte store of global memory", memcheck,
             small<odd_rows>, small<none>},
        },
        __FILE__);
}

}  // namespace corpus
