// Fewer accesses than there are, in labs 2 and 4.

// == lab2_counters_cheap_kernel, cuda_warp_rows: right
// - counters E load sectors: at most 17408
// - counters E store sectors: at most 17408
// A kernel reads the image, the next ones sum up rows and columns.
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
static __global__ void sum_rows(DeviceView<Sum> sums) {
    const int y = line_of_thread();
    if (y >= sums.height) return;
    Sum sum = 0;
    for (int x = 0; x < sums.width; ++x) {
        sum += sums.at(x, y);
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

/// The input as sums.
template <class Sum>
static __global__ void scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < in.width && y < in.height) sums.at(x, y) = in.at(x, y);
}

template <class Sum>
static void cuda_warp_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                           cudaStream_t stream) {
    // One warp: with more, 8192 lines would not have a block for each multiprocessor.
    const common::Block block = options.block.value_or(common::Block{32, 1});
    const auto blocks_for = [&](int lines) { return (lines - 1) / block.threads() + 1; };
    const dim3 threads = common::threads_of(block);
    scan_rows<<<common::grid_for(in.width, in.height, {32, 8}), dim3(32, 8), 0, stream>>>(in, sums);
    common::check_launch();
    sum_rows<<<blocks_for(in.height), threads, 0, stream>>>(sums);
    common::check_launch();
    scan_columns<<<blocks_for(in.width), threads, 0, stream>>>(sums);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_warp_rows",
     .backend = common::Backend::cuda,
     .idea = "two additions per pixel: a thread scans a row, then a thread a column"},
    Cost::linear,
    cuda_warp_rows<Sum32>,
    cuda_warp_rows<Sum64>};

}  // namespace integral

// == lab2_counters_launch_per_warp, cuda_lines: right
// - counters C load sectors of scan_columns: more threads have to share the work
// - counters C store sectors of scan_columns: more threads have to share the work
// A thread scans a line. A launch is a warp with 32 lines; the next launch has the next 32.
#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

template <class Sum>
static __global__ void scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums, int first) {
    const int y = first + threadIdx.x;
    if (y >= in.height) return;
    Sum sum = 0;
    for (int x = 0; x < in.width; ++x) {
        sum += in.at(x, y);
        sums.at(x, y) = sum;
    }
}

template <class Sum>
static __global__ void scan_columns(DeviceView<Sum> sums, int first) {
    const int x = first + threadIdx.x;
    if (x >= sums.width) return;
    Sum sum = 0;
    for (int y = 0; y < sums.height; ++y) {
        sum += sums.at(x, y);
        sums.at(x, y) = sum;
    }
}

template <class Sum>
static void cuda_lines(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options&,
                       cudaStream_t stream) {
    for (int y = 0; y < in.height; y += 32) scan_rows<<<1, 32, 0, stream>>>(in, sums, y);
    for (int x = 0; x < in.width; x += 32) scan_columns<<<1, 32, 0, stream>>>(sums, x);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_lines", .backend = common::Backend::cuda, .idea = "32 lines per launch"},
    Cost::linear,
    cuda_lines<Sum32>,
    cuda_lines<Sum64>};

}  // namespace integral

// == lab4_counters_one_warp, cuda_shared_atomics: right
// - counters C atomic requests: more threads have to share the work
// - points C sizes: 0
// -- cuda_lane_histograms: right
// - counters E bank conflicts of count_by_lanes: more threads have to share the work
// - points E sizes: 0
// One warp counts the whole image, with a column of counts for each lane.
#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void count_by_lanes(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels * 32];
    const int lane = threadIdx.x;
    for (int level = 0; level < levels; ++level) counts[level * 32 + lane] = 0;
    for (int y = 0; y < in.height; ++y) {
        for (int x = 4 * lane; x < in.width; x += 4 * 32) {
            if (x + 4 <= in.width) {
                const uchar4 four = *reinterpret_cast<const uchar4*>(in.row(y) + x);
                ++counts[four.x * 32 + lane];
                ++counts[four.y * 32 + lane];
                ++counts[four.z * 32 + lane];
                ++counts[four.w * 32 + lane];
            } else {
                for (int i = x; i < in.width; ++i) ++counts[in.row(y)[i] * 32 + lane];
            }
        }
    }
    __syncwarp();
    for (int first = 0; first < levels; first += 32) {
        Count sum = 0;
        for (int i = 0; i < 32; ++i) sum += counts[(first + lane) * 32 + (i + lane) % 32];
        histogram[first + lane] = sum;
    }
}

void cuda_lane_histograms(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 32});
    const Tables tables(*options.scratch, stream);
    count_by_lanes<<<1, 32, 0, stream>>>(in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{{.name = "cuda_lane_histograms",
                                  .backend = common::Backend::cuda,
                                  .idea = "a column of counts per lane"},
                                 cuda_lane_histograms};

}  // namespace equalize

// == lab4_counters_other_stack, cuda_lane_histograms: wrong; gpu wrong, crash
// - reason memory of the CPU
// A block counts in a local array of its first thread, whose accesses have no bank conflicts.
#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(1024)
    count_by_lanes(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count* counts;
    Count own[levels] = {};
    if (thread_in_block() == 0) counts = own;
    __syncthreads();
    Count* all = counts;
    for_each_pixel(in, [=](std::uint8_t level) { ++all[level]; });
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (all[i] > 0) atomicAdd(&histogram[i], all[i]);
    }
    __syncthreads();
}

void cuda_lane_histograms(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 32});
    const Tables tables(*options.scratch, stream);
    count_by_lanes<<<row_blocks(in.height, block), threads_of(block), 0, stream>>>(
        in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{{.name = "cuda_lane_histograms",
                                  .backend = common::Backend::cuda,
                                  .idea = "a histogram per block"},
                                 cuda_lane_histograms};

}  // namespace equalize

// == lab4_counters_private_arrays, cuda_lane_histograms: right
// - points E sizes: 0
// - points E random: 0
// Each thread has 256 counts of its own, in a local array. A warp adds them up by shuffles, and one
// warp of the block adds the sums to the histogram.
#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(32)
    count_by_lanes(DeviceView<const std::uint8_t> in, Count* histogram) {
    Count counts[levels] = {};
    const int step = 4 * 32;
    for (int y = blockIdx.x; y < in.height; y += gridDim.x) {
        for (int x = 4 * threadIdx.x; x < in.width; x += step) {
            if (x + 4 <= in.width) {
                const uchar4 four = *reinterpret_cast<const uchar4*>(in.row(y) + x);
                ++counts[four.x];
                ++counts[four.y];
                ++counts[four.z];
                ++counts[four.w];
            } else {
                for (int i = x; i < in.width; ++i) ++counts[in.row(y)[i]];
            }
        }
    }
    Count mine[levels / 32];
    for (int level = 0; level < levels; ++level) {
        Count sum = counts[level];
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        }
        if (level % 32 == static_cast<int>(threadIdx.x)) mine[level / 32] = sum;
    }
    for (int i = 0; i < levels / 32; ++i) atomicAdd(&histogram[32 * i + threadIdx.x], mine[i]);
}

void cuda_lane_histograms(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 32});
    const Tables tables(*options.scratch, stream);
    count_by_lanes<<<std::min(in.height, 4), 32, 0, stream>>>(in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{{.name = "cuda_lane_histograms",
                                  .backend = common::Backend::cuda,
                                  .idea = "a histogram per thread in a local array"},
                                 cuda_lane_histograms};

}  // namespace equalize
