// The sum over a rectangle is a sum along rows of sums along columns, so two kernels do: the first
// replaces every row by its running sums, the second does the same to the columns of the result.
//
// Rows: a warp for each. It takes 32 pixels at a time, one per lane; in five steps every lane adds
// what the lane 1, 2, 4, 8, 16 places to the left has, and then holds the sum of all lanes up to
// its own (Hillis and Steele's scan). Several such runs are under way at once, because a single one
// would leave the memory waiting.
//
// Columns: a block for a strip of columns, which goes down the image in chunks of rows. Every
// thread adds up a few rows of its column; in shared memory it finds the totals of the threads
// above it.
//
// Against cuda_shared: the work is linear in the number of pixels. Bound by memory, and by moving
// everything twice: the first kernel reads pixels and writes sums, the second reads and writes
// sums. So half of a copy's rate is the limit with 32-bit sums.
//
// Comes to 39% of the rate of a copy (8192x8192, 32-bit sums, NVIDIA H200).

#include "common/view.hpp"
#include "problem/launch.cuh"
#include "problem/variant.hpp"
#include "problem/warp.cuh"

namespace integral {

using common::DeviceView;

static constexpr int max_threads =
    1024;                        // of a block; a kernel that needs too many registers fails
static constexpr int items = 8;  // runs of a warp, or rows of a thread, under way at once

template <class Sum>
static __global__ void __launch_bounds__(max_threads)
    scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    const int warps = static_cast<int>(blockDim.x * blockDim.y) / warp_size;
    const int lane = thread % warp_size;
    const int y = static_cast<int>(blockIdx.x) * warps + thread / warp_size;
    if (y >= in.height) return;
    const Pixel* pixels = in.row(y);
    Sum* result = sums.row(y);

    Sum before = 0;  // the sum of the row to the left of this chunk
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
    auto* totals = reinterpret_cast<Sum*>(shared);  // of each thread's rows in this chunk
    const int width = static_cast<int>(blockDim.x);
    const int height = static_cast<int>(blockDim.y);
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * width + tx;

    Sum before = 0;  // the sum of the column above this chunk
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
static void scan(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                 cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 16});
    if (block.threads() % warp_size != 0) {
        throw common::Unsupported("cuda_scan: block " + common::to_string(block) +
                                  " is not made of whole warps; take a multiple of 32 threads");
    }
    const dim3 threads = common::threads_of(block);
    const int warps = block.threads() / warp_size;
    const auto row_blocks = static_cast<unsigned>((in.height + warps - 1) / warps);
    scan_rows<<<row_blocks, threads, 0, stream>>>(in, sums);
    common::check_launch();

    const auto strips = static_cast<unsigned>((in.width + block.width - 1) / block.width);
    const std::size_t totals_bytes = static_cast<std::size_t>(block.threads()) * sizeof(Sum);
    scan_columns<<<strips, threads, totals_bytes, stream>>>(sums);
    common::check_launch();
}

void cuda_scan(DeviceView<const Pixel> in, DeviceView<Sum32> sums, const Options& options,
               cudaStream_t stream) {
    scan(in, sums, options, stream);
}

void cuda_scan(DeviceView<const Pixel> in, DeviceView<Sum64> sums, const Options& options,
               cudaStream_t stream) {
    scan(in, sums, options, stream);
}

static const Register registered{
    {.name = "cuda_scan",
     .backend = common::Backend::cuda,
     .idea = "a warp scans each row, then blocks scan strips of columns"},
    Cost::linear,
    cuda_scan,
    cuda_scan};

}  // namespace integral
