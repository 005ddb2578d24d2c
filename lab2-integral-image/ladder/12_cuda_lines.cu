// cuda_shared is bound by n^2/4 additions. A sum over a rectangle is a sum down a column of sums
// along rows, so two additions per pixel do: one kernel replaces every row by its inclusive scan, a
// second one scans the columns of the result. In both, a thread takes a line. The second kernel
// starts when the first has ended, because both are in one stream.
//
// Rows: the lanes of a warp hold the same column of 32 rows, so their accesses are not coalesced.
// Each request touches 32 sectors and uses 4 of the 32 bytes of each (`run --explain`). Columns:
// neighbouring lanes hold neighbouring columns; a request touches the 4 sectors that it uses.
//
// Latency bounds it, in both kernels. 8192 lines are 256 warps, 2 per multiprocessor of an H200,
// where 64 fit. And a thread has one load in flight: it stores a sum before it loads the next
// value, and the compiler cannot exchange the two, since they could have the same address.
//
// Predicted: a column of 8192 pixels waits 8192 times for a load from DRAM. If each takes 0.5
// microseconds, these are 4 ms, where 537 MB at 4 TB/s take 0.13 ms. A row waits for every eighth
// load only, whose sector serves the next seven from the L1 cache: less than 1 ms. Up to 5 ms in
// all, 3 % of the rate of a copy.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

/// The row or column of this thread, whatever the shape of the block.
static __device__ int line_of_thread() {
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    return blockIdx.x * blockDim.x * blockDim.y + thread;
}

template <class Sum>
static __global__ void scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int y = line_of_thread();
    if (y >= in.height) return;
    Sum sum = 0;
    for (int x = 0; x < in.width; ++x) {
        sum += in.at(x, y);
        sums.at(x, y) = sum;
    }
}

template <class Sum>
static __global__ void scan_columns(DeviceView<Sum> sums) {
    const int x = line_of_thread();
    if (x >= sums.width) return;
    Sum sum = 0;
    for (int y = 0; y < sums.height; ++y) {
        sum += sums.at(x, y);
        sums.at(x, y) = sum;
    }
}

template <class Sum>
static void cuda_lines(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                       cudaStream_t stream) {
    // One warp: with more, 8192 lines would not have a block for each multiprocessor.
    const common::Block block = options.block.value_or(common::Block{32, 1});
    const auto blocks_for = [&](int lines) { return (lines - 1) / block.threads() + 1; };
    const dim3 threads = common::threads_of(block);
    scan_rows<<<blocks_for(in.height), threads, 0, stream>>>(in, sums);
    common::check_launch();
    scan_columns<<<blocks_for(in.width), threads, 0, stream>>>(sums);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_lines",
     .backend = common::Backend::cuda,
     .idea = "two additions per pixel: a thread scans a row, then a thread a column"},
    Cost::linear,
    cuda_lines<Sum32>,
    cuda_lines<Sum64>};

}  // namespace integral
