// Lab 1, convolution: kernels with mistakes.

#include <cuda_pipeline.h>

#include "corpus.hpp"

namespace corpus {
namespace {

enum Mistake {
    none,
    bounds,
    no_edge,
    pitch,
    swapped,
    threads,
    no_mask,
    no_barrier,
    no_room,
    few_rows,
    early_return,
    alignment,
    whole_store,
    no_wait,
    no_syncwarp,
    wrong_stage,
};

constexpr int width = 40, height = 20;

struct Mask {
    int size = 3;
    float weights[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    __host__ __device__ float at(int i, int j) const { return weights[i * size + j]; }
};

__device__ std::uint8_t to_pixel(float sum) {
    return static_cast<std::uint8_t>(fminf(fmaxf(sum, 0.0f), 255.0f));
}

// --- ladder: a thread per pixel
// -------------------------------------------------------------------

template <Mistake mistake>
__global__ void convolve_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                               const Mask mask) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    constexpr int beyond = mistake == bounds ? 1 : 0;  // as if with > for >=
    if (x >= in.width + beyond || y >= in.height + beyond) return;
    const int k = mask.size / 2;
    const int first = mistake == no_edge ? -k : max(-k, -y);
    float sum = 0;
    for (int i = first; i <= min(k, in.height - 1 - y); ++i) {
        for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
            const std::uint8_t* pixel = &in.at(x + j, y + i);
            // fault: pixel_no_edge
            sum += static_cast<float>(*pixel) * mask.at(i + k, j + k);
        }
    }
    std::uint8_t* to = &out.at(x, y);
    if (mistake == swapped) to = &out.at(y, x);
    if (mistake == pitch) to = out.data + y * out.width + x;
    // fault: pixel_bounds, pixel_pitch, pixel_swapped
    *to = to_pixel(sum);
}

template <Mistake mistake>
cudaError_t per_pixel() {
    const Image in(width, height), out(width, height);
    const dim3 block(32, 8), grid(2, 3);
    convolve_pixel<mistake><<<grid, block>>>(input(in), view(out), Mask{});
    return cudaGetLastError();
}

template <Mistake mistake>
__global__ void convolve_channel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int c = static_cast<int>(threadIdx.z);
    if (x < in.width && y < in.height) out.at(x, y, c) = in.at(x, y, c);
}

template <Mistake mistake>
cudaError_t per_channel() {
    const Image in(3 * width, height), out(3 * width, height);
    const dim3 block(32, mistake == threads ? 11 : 10, 3), grid(2, 2);
    convolve_channel<mistake><<<grid, block>>>(input(in, 3), view(out, 3));
    return cudaGetLastError();
}

template <Mistake mistake>
__global__ void convolve_with_global_mask(DeviceView<const std::uint8_t> in,
                                          DeviceView<std::uint8_t> out, const Mask* mask) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.x);
    // fault: mask_not_copied
    const float sum = static_cast<float>(in.at(x, y)) * mask->weights[4];
    out.at(x, y) = to_pixel(sum);
}

template <Mistake mistake>
cudaError_t global_mask() {
    const Image in(width, height), out(width, height);
    const Memory<Mask> mask(1);
    const Mask values;
    if (mistake != no_mask) cudaMemcpy(mask, &values, sizeof values, cudaMemcpyHostToDevice);
    convolve_with_global_mask<mistake><<<height, width>>>(input(in), view(out), mask);
    return cudaGetLastError();
}

// --- ladder: a tile in shared memory
// --------------------------------------------------------------

constexpr int k = 1;  // radius

__device__ void load_tile(DeviceView<const std::uint8_t> in, std::uint8_t* tile, int top, int rows,
                          int left, int bytes) {
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    const int threads = static_cast<int>(blockDim.x * blockDim.y);
    for (int at = thread; at < rows * bytes; at += threads) {
        const int y = top + at / bytes;
        const int x = left + at % bytes;
        const bool inside = y >= 0 && y < in.height && x >= 0 && x < in.width;
        // fault: tile_no_room, tile_no_barrier
        tile[at] = inside ? in.at(x, y) : std::uint8_t{0};
    }
}

template <Mistake mistake>
__global__ void convolve_tile(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                              const Mask mask) {
    extern __shared__ std::uint8_t tile[];
    const int block_x = static_cast<int>(blockIdx.x * blockDim.x);
    const int block_y = static_cast<int>(blockIdx.y * blockDim.y);
    const int x = block_x + static_cast<int>(threadIdx.x);
    const int y = block_y + static_cast<int>(threadIdx.y);
    if (mistake == early_return && (x >= in.width || y >= in.height)) return;
    const int tile_rows = static_cast<int>(blockDim.y) + (mistake == few_rows ? k : 2 * k);
    const int tile_bytes = static_cast<int>(blockDim.x) + 2 * k;
    load_tile(in, tile, block_y - k, tile_rows, block_x - k, tile_bytes);
    // fault: tile_early_return
    if (mistake != no_barrier) __syncthreads();

    if (x >= in.width || y >= in.height) return;
    const int tx = static_cast<int>(mistake == swapped ? threadIdx.y : threadIdx.x);
    const int ty = static_cast<int>(mistake == swapped ? threadIdx.x : threadIdx.y);
    const std::uint8_t* corner = tile + ty * tile_bytes + tx;
    float sum = 0;
    for (int i = 0; i < mask.size; ++i) {
        for (int j = 0; j < mask.size; ++j) {
            // fault: tile_few_rows, tile_swapped, tile_no_barrier
            const auto pixel = static_cast<float>(corner[i * tile_bytes + j]);
            sum += pixel * mask.at(i, j);
        }
    }
    out.at(x, y) = to_pixel(sum);
}

template <Mistake mistake>
cudaError_t tile() {
    const Image in(width, height), out(width, height);
    const dim3 block(32, 8), grid(2, 3);
    constexpr int halo = mistake == no_room ? 0 : 2 * k;
    convolve_tile<mistake><<<grid, block, (32 + halo) * (8 + halo)>>>(input(in), view(out), Mask{});
    return cudaGetLastError();
}

// --- expert: words in registers
// -------------------------------------------------------------------

/// `Count` words from a multiple of `Alignment` bytes.
template <int Count, int Alignment>
__device__ void load_words(const std::uint8_t* from, unsigned* words) {
    if constexpr (Count == 4 && Alignment % 16 == 0) {
        // fault: registers_alignment
        const auto loaded = *reinterpret_cast<const uint4*>(from);
        words[0] = loaded.x;
        words[1] = loaded.y;
        words[2] = loaded.z;
        words[3] = loaded.w;
    } else {
        for (int i = 0; i < Count; ++i) words[i] = reinterpret_cast<const unsigned*>(from)[i];
    }
}

/// With a mask of 11x11 a thread owns one word, so its halo of four begins at any word.
template <Mistake mistake>
__global__ void sum_windows(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
    constexpr int halo_words = 4;
    unsigned window[2 * halo_words + 1];
    const std::uint8_t* own = in.row(0) + 4 * (halo_words + threadIdx.x);
    load_words<halo_words, mistake == alignment ? 16 : 4>(own - 4 * halo_words, window);
    load_words<1, 4>(own, window + halo_words);
    load_words<halo_words, 4>(own + 4, window + halo_words + 1);
    unsigned sum = 0;
    for (const unsigned word : window) sum += word;
    out.row(0)[threadIdx.x] = static_cast<std::uint8_t>(sum);
}

template <Mistake mistake>
cudaError_t registers() {
    const Image in(256, 1), out(256, 1);
    sum_windows<mistake><<<1, 32>>>(input(in), view(out));
    return cudaGetLastError();
}

template <Mistake mistake>
__global__ void store_words(DeviceView<std::uint8_t> out) {
    std::uint8_t* to = out.row(static_cast<int>(blockIdx.x)) + 16 * threadIdx.x;
    const int count = out.width - 16 * static_cast<int>(threadIdx.x);
    if (mistake == whole_store || count >= 16) {
        // fault: registers_whole_store
        __stcs(reinterpret_cast<uint4*>(to), make_uint4(1, 2, 3, 4));
    } else {
        for (int b = 0; b < count; ++b) to[b] = 1;
    }
}

template <Mistake mistake>
cudaError_t store() {
    const Image out(width, height);  // not a multiple of 16
    store_words<mistake><<<height, 3>>>(view(out));
    return cudaGetLastError();
}

// --- expert: asynchronous copies of rows, two stages
// ----------------------------------------------

template <Mistake mistake>
__global__ void convolve_stages(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
    __shared__ alignas(16) std::uint8_t rows[2][512];
    __shared__ std::uint8_t result[32];
    const int lane = static_cast<int>(threadIdx.x);
    const auto copy = [&](int y, int stage) {
        // fault: stages_no_wait, stages_wrong_stage
        __pipeline_memcpy_async(&rows[stage][16 * lane], in.row(y) + 16 * lane, 16);
    };
    copy(0, 0);
    __pipeline_commit();
    for (int y = 0; y < in.height; ++y) {
        if (mistake != no_wait) __pipeline_wait_prior(0);
        __syncwarp();
        const int next = y + 1;
        if (next < in.height) copy(next, mistake == wrong_stage ? y % 2 : next % 2);
        __pipeline_commit();
        // fault: stages_no_wait, stages_wrong_stage, stages_no_syncwarp
        result[lane] = rows[y % 2][(16 * lane + 16) % 512];
        if (mistake != no_syncwarp) __syncwarp();
        // fault: stages_no_syncwarp
        out.row(y)[lane] = result[31 - lane];
    }
}

template <Mistake mistake>
cudaError_t stages() {
    const Image in(512, 4), out(512, 4);
    convolve_stages<mistake><<<1, 32>>>(input(in), view(out));
    return cudaGetLastError();
}

}  // namespace

std::vector<Case> lab1_cases() {
    using enum Tool;
    const std::string pixel = "lab1-convolution/ladder/11_cuda_per_pixel.cu";
    const std::string channel = "lab1-convolution/ladder/10_cuda_per_channel.cu";
    const std::string global = "lab1-convolution/experiments/cuda_global_mask.cu";
    const std::string shared = "lab1-convolution/ladder/14_cuda_shared.cu";
    const std::string window = "lab1-convolution/expert/register_blocking/window.cuh";
    const std::string sums = "lab1-convolution/expert/register_blocking/sums.cuh";
    const std::string tensor = "lab1-convolution/expert/tensor_cores/cuda_best.cu";
    return with_file(
        {
            {"pixel_bounds", pixel, "convolve_pixel", "the test for the edge has `>` for `>=`",
             "out of bounds: a 1-byte store of global memory", memcheck, per_pixel<bounds>,
             per_pixel<none>},
            {"pixel_no_edge", pixel, "convolve_pixel", "the mask is not cut short at the top edge",
             "out of bounds: a 1-byte load of global memory", memcheck, per_pixel<no_edge>,
             per_pixel<none>},
            {"pixel_pitch", pixel, "convolve_pixel", "the width is taken for the pitch",
             "out of bounds: a 1-byte store of global memory", memcheck, per_pixel<pitch>,
             per_pixel<none>},
            {"pixel_swapped", pixel, "convolve_pixel", "x and y of the output are swapped",
             "out of bounds: a 1-byte store of global memory", memcheck, per_pixel<swapped>,
             per_pixel<none>},
            {"channel_threads", channel, "", "a block of 32x11x3 threads",
             "launch over the limits of the GPU: a block of 32x11x3 threads", memcheck,
             per_channel<threads>, per_channel<none>},
            {"mask_not_copied", global, "convolve_with_global_mask",
             "the mask is not copied to the GPU",
             "memory never written is read: a 4-byte load of global memory", initcheck,
             global_mask<no_mask>, global_mask<none>},
            {"tile_no_barrier", shared, "convolve_tile", "no barrier between loading and using",
             "race in shared memory", racecheck, tile<no_barrier>, tile<none>},
            {"tile_no_room", shared, "convolve_tile",
             "the launch has shared memory for the block without its halo",
             "out of bounds: a 1-byte store of shared memory", memcheck, tile<no_room>, tile<none>},
            {"tile_few_rows", shared, "convolve_tile", "the halo below the tile is not loaded",
             "memory never written is read: a 1-byte load of shared memory", initcheck,
             tile<few_rows>, tile<none>},
            {"tile_early_return", shared, "convolve_tile",
             "threads outside the image return before the barrier",
             "__syncthreads() that not all threads reach", synccheck, tile<early_return>,
             tile<none>},
            {"tile_swapped", shared, "convolve_tile", "x and y in the tile are swapped",
             "out of bounds: a 1-byte load of shared memory", memcheck, tile<swapped>, tile<none>},
            {"registers_alignment", window, "sum_windows",
             "16-byte loads begin at any multiple of 4 (as commit 1f45c12 had it)",
             "misaligned access as 'const struct uint4'", memcheck, registers<alignment>,
             registers<none>},
            {"registers_whole_store", sums, "store_words",
             "the last store of a row is not cut short", "-byte store of global memory", memcheck,
             store<whole_store>, store<none>},
            {"stages_no_wait", tensor, "convolve_stages", "an asynchronous copy is not waited for",
             "asynchronous copy not waited for", racecheck, stages<no_wait>, stages<none>},
            {"stages_wrong_stage", tensor, "convolve_stages",
             "a copy goes to the buffer that is in use", "race in shared memory", racecheck,
             stages<wrong_stage>, stages<none>},
            {"stages_no_syncwarp", tensor, "convolve_stages",
             "lanes read each other's results without __syncwarp()", "race in shared memory",
             racecheck, stages<no_syncwarp>, stages<none>},
        },
        __FILE__);
}

}  // namespace corpus
