// cuda_warp_rows is bound by latency in its column kernel: one thread per column makes too few
// warps. Here a block takes 32 columns, with 16 threads for each, from top to bottom. Every thread
// adds up `items` rows of its column and finds the totals of the threads above it in shared memory.
// So 16 times as many loads are in flight. Two barriers separate writing the totals from reading
// them, and reading them from writing those of the next rows.
//
// The row kernel is that of cuda_warp_rows.
//
// Memory bandwidth bounds it, because it moves everything twice: pixels in, sums out, sums in, sums
// out. With 32-bit sums that limits it to half of a copy's rate.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

static constexpr int warp_size = 32;
static constexpr unsigned all_lanes = 0xffffffffu;
static constexpr int max_threads = 1024;  // of a block: bounds the registers of a thread
static constexpr int items = 8;           // groups of a warp, or rows of a thread, in flight

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

template <class Sum>
static __global__ void __launch_bounds__(max_threads)
    scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int warps = blockDim.x * blockDim.y / warp_size;
    const int lane = thread % warp_size;
    const int y = blockIdx.x * warps + thread / warp_size;
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
    extern __shared__ unsigned char shared[];
    auto* totals = reinterpret_cast<Sum*>(shared);  // of each thread's rows
    const int width = blockDim.x;
    const int height = blockDim.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = blockIdx.x * width + tx;

    Sum before = 0;  // the sum of the column above these rows
    for (int top = 0; top < sums.height; top += height * items) {
        const int first = top + ty * items;
        Sum values[items];
#pragma unroll
        for (int i = 0; i < items; ++i) {
            values[i] = x < sums.width && first + i < sums.height ? sums.at(x, first + i) : 0;
        }
#pragma unroll
        for (int i = 1; i < items; ++i) values[i] += values[i - 1];
        totals[ty * width + tx] = values[items - 1];
        __syncthreads();
        Sum above = before;
        for (int t = 0; t < height; ++t) {
            const Sum total = totals[t * width + tx];
            if (t < ty) above += total;
            before += total;
        }
#pragma unroll
        for (int i = 0; i < items; ++i) {
            if (x < sums.width && first + i < sums.height)
                sums.at(x, first + i) = above + values[i];
        }
        __syncthreads();
    }
}

template <class Sum>
static void cuda_scan(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                      cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 16});
    if (block.threads() % warp_size != 0) {
        throw common::Unsupported("cuda_scan: block " + common::to_string(block) +
                                  " is not made of whole warps; take a multiple of 32 threads");
    }
    const dim3 threads = common::threads_of(block);
    const int warps = block.threads() / warp_size;
    const unsigned row_blocks = (in.height + warps - 1) / warps;
    scan_rows<<<row_blocks, threads, 0, stream>>>(in, sums);
    common::check_launch();

    const unsigned column_blocks = (in.width + block.width - 1) / block.width;
    const std::size_t totals_bytes = block.threads() * sizeof(Sum);
    scan_columns<<<column_blocks, threads, totals_bytes, stream>>>(sums);
    common::check_launch();
}

static const Register registered{{.name = "cuda_scan",
                                  .backend = common::Backend::cuda,
                                  .idea = "a block scans 32 columns, with 16 threads for each"},
                                 Cost::linear,
                                 cuda_scan<Sum32>,
                                 cuda_scan<Sum64>};

}  // namespace integral
