// cuda_lines is bound by latency: a thread waits for every load before it issues the next. Here a
// thread issues the loads of `items` values of its line, then adds them up, then stores the sums.
// It waits once for all of them (latency hiding by independent instructions). The values are in
// registers, so the loops have a number of iterations that is known at compile time and unroll.
//
// Columns: 256 warps with 4 loads of 128 bytes have 0.13 MB in flight. By Little's law, 4 TB/s at a
// latency of 0.5 microseconds need 2 MB. Latency still bounds this kernel, but a quarter as long.
//
// Rows: the accesses are no better coalesced. Each of the 32 sectors of a request takes a pass
// through the L1 cache, in this kernel and in the one before. These passes bound the rows now.
//
// Predicted: columns 4 times as fast, 1 ms; rows 0.6 ms, for 134 million sectors, one per clock and
// multiprocessor. 3 times as fast as cuda_lines.
//
// It gains less. The two kernels were not timed apart. A likely reason: the prediction counts
// passes through the L1 cache only. But stores go through it to the L2 cache, each of the 32
// sectors of a request by itself, and the next seven sums write the same sectors again. Nsight
// Compute counts as many sectors per request in the row kernel as for cuda_lines (counts.csv).

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

static constexpr int items = 4;           // values of a line in flight
static constexpr int max_threads = 1024;  // of a block: bounds the registers of a thread

/// Inclusive scan of `count` values, which lie `step` apart, from `from` to `to`.
template <class Value, class Sum>
static __device__ void scan_line(const Value* from, std::ptrdiff_t from_step, Sum* to,
                                 std::ptrdiff_t to_step, int count) {
    Sum sum = 0;
    for (int first = 0; first < count; first += items) {
        Value values[items];
#pragma unroll
        for (int i = 0; i < items; ++i) {
            values[i] = first + i < count ? from[i * from_step] : 0;
        }
#pragma unroll
        for (int i = 0; i < items; ++i) {
            sum += values[i];
            if (first + i < count) to[i * to_step] = sum;
        }
        from += items * from_step;
        to += items * to_step;
    }
}

/// The row or column of this thread, whatever the shape of the block.
static __device__ int line_of_thread() {
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    return blockIdx.x * blockDim.x * blockDim.y + thread;
}

template <class Sum>
static __global__ void __launch_bounds__(max_threads)
    scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int y = line_of_thread();
    if (y < in.height) scan_line(in.row(y), 1, sums.row(y), 1, in.width);
}

template <class Sum>
static __global__ void __launch_bounds__(max_threads) scan_columns(DeviceView<Sum> sums) {
    const int x = line_of_thread();
    if (x >= sums.width) return;
    scan_line(sums.data + x, sums.pitch, sums.data + x, sums.pitch, sums.height);
}

template <class Sum>
static void cuda_items(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                       cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 1});
    const auto blocks_for = [&](int lines) { return (lines - 1) / block.threads() + 1; };
    const dim3 threads = common::threads_of(block);
    scan_rows<<<blocks_for(in.height), threads, 0, stream>>>(in, sums);
    common::check_launch();
    scan_columns<<<blocks_for(in.width), threads, 0, stream>>>(sums);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_items",
     .backend = common::Backend::cuda,
     .idea = "latency hiding: a thread loads 4 values before it adds them up"},
    Cost::linear,
    cuda_items<Sum32>,
    cuda_items<Sum64>};

}  // namespace integral
