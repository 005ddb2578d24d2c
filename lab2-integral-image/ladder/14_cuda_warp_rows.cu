// cuda_items is bound by the requests of its row kernel: 32 sectors for each load and store. Here a
// warp scans a row, not a thread. Its lanes load 32 neighbouring pixels: a request of 4 sectors,
// all of whose bytes are used. There are 32 times as many warps, too.
//
// A warp scans its 32 values in five steps: in each, every lane adds the value of the lane 1, 2, 4,
// 8, 16 to its left by warp shuffle (Hillis and Steele's scan). A warp does so for `items` groups
// of 32 values at once, whose loads are in flight together.
//
// The column kernel is that of cuda_items, with 8 values in flight too. Latency bounds it: 8192
// columns are 256 warps, two per multiprocessor of an H200.
//
// Predicted: the rows need the 0.13 ms that 537 MB take at 4 TB/s, or a little more, instead of 0.6
// ms; the columns 0.5 ms instead of 1 ms. 2.5 times as fast as cuda_items.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

static constexpr int warp_size = 32;
static constexpr unsigned all_lanes = 0xffffffffu;
static constexpr int max_threads = 1024;  // of a block: bounds the registers of a thread
static constexpr int items = 8;           // groups of a warp, or values of a column, in flight

/// The sum of `value` over the lanes up to this one. All lanes of the warp call it.
template <class Sum>
static __device__ Sum warp_scan(Sum value, int lane) {
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
        const Sum left = __shfl_up_sync(all_lanes, value, distance);
        if (lane >= distance) value += left;
    }
    return value;
}

static __device__ int thread_in_block() {
    return threadIdx.y * blockDim.x + threadIdx.x;
}

static __device__ int threads_of_block() {
    return blockDim.x * blockDim.y;
}

template <class Sum>
static __global__ void __launch_bounds__(max_threads)
    scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int lane = thread_in_block() % warp_size;
    const int warps = threads_of_block() / warp_size;
    const int y = blockIdx.x * warps + thread_in_block() / warp_size;
    if (y >= in.height) return;
    const Pixel* pixels = in.row(y);
    Sum* result = sums.row(y);

    Sum before = 0;  // the sum of the row to the left of these groups
    for (int left = 0; left < in.width; left += items * warp_size) {
        Sum values[items];
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int x = left + i * warp_size + lane;
            values[i] = x < in.width ? pixels[x] : 0;
        }
#pragma unroll
        for (int i = 0; i < items; ++i) values[i] = warp_scan(values[i], lane);
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int x = left + i * warp_size + lane;
            if (x < in.width) result[x] = before + values[i];
            before += __shfl_sync(all_lanes, values[i], warp_size - 1);
        }
    }
}

template <class Sum>
static __global__ void __launch_bounds__(max_threads) scan_columns(DeviceView<Sum> sums) {
    const int x = blockIdx.x * threads_of_block() + thread_in_block();
    if (x >= sums.width) return;
    Sum sum = 0;
    for (int top = 0; top < sums.height; top += items) {
        Sum values[items];
#pragma unroll
        for (int i = 0; i < items; ++i) {
            values[i] = top + i < sums.height ? sums.at(x, top + i) : 0;
        }
#pragma unroll
        for (int i = 0; i < items; ++i) {
            sum += values[i];
            if (top + i < sums.height) sums.at(x, top + i) = sum;
        }
    }
}

template <class Sum>
static void cuda_warp_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                           cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 1});
    if (block.threads() % warp_size != 0) {
        throw common::Unsupported("cuda_warp_rows: block " + common::to_string(block) +
                                  " is not made of whole warps; take a multiple of 32 threads");
    }
    const dim3 threads = common::threads_of(block);
    const auto blocks_for = [](int lines, int lines_of_block) {
        return (lines - 1) / lines_of_block + 1;
    };
    const unsigned row_blocks = blocks_for(in.height, block.threads() / warp_size);
    scan_rows<<<row_blocks, threads, 0, stream>>>(in, sums);
    common::check_launch();
    scan_columns<<<blocks_for(in.width, block.threads()), threads, 0, stream>>>(sums);
    common::check_launch();
}

static const Register registered{{.name = "cuda_warp_rows",
                                  .backend = common::Backend::cuda,
                                  .idea = "coalesced rows: a warp scans a row by shuffles"},
                                 Cost::linear,
                                 cuda_warp_rows<Sum32>,
                                 cuda_warp_rows<Sum64>};

}  // namespace integral
