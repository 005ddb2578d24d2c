// `omp_rows` has one thread per core. Here, as in the original report (004), each pixel has a
// thread:
//
//   1. Each block counts its pixels in shared memory with atomic additions, and adds its counts to
//      the histogram in global memory with atomic additions.
//   2. One block of 256 threads computes the CDF, an inclusive scan in eight steps.
//   3. Each thread looks up one pixel.
//
// The CPU makes the table between 2 and 3: the CDF is copied to the host, a host function runs in
// stream order, and the table is copied back. The original report does not time this part; here it
// is timed, because no result exists without it.
//
// Bound on large images by atomic additions to global memory: a block has only 256 pixels, and adds
// up to 256 counts to the same histogram. Bound on small images by the round trip to the CPU.

#include <algorithm>
#include <array>

#include "common/scratch.hpp"
#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(1024)
    compute_histogram(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < in.width && y < in.height) atomicAdd(&counts[in.at(x, y)], Count{1});
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);
    }
}

/// In place. One block with one thread per level.
static __global__ void compute_cdf(Count* histogram) {
    __shared__ Count cdf[levels];
    const int level = threadIdx.x;
    cdf[level] = histogram[level];
    for (int distance = 1; distance < levels; distance *= 2) {
        __syncthreads();  // all writes before any read
        const Count before = level >= distance ? cdf[level - distance] : 0;
        __syncthreads();  // all reads before any write
        cdf[level] += before;
    }
    histogram[level] = cdf[level];
}

static __global__ void __launch_bounds__(1024)
    apply_transformation(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                         const std::uint8_t* table) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < in.width && y < in.height) out.at(x, y) = table[in.at(x, y)];
}

/// Page-locked memory: from the GPU, and back to it.
struct RoundTrip {
    Histogram cdf;
    Table table;
};

static void CUDART_CB make_table_on_cpu(void* data) {
    auto& [cdf, table] = *static_cast<RoundTrip*>(data);
    const Count cdf_min = *std::find_if(cdf.begin(), cdf.end(), [](Count n) { return n > 0; });
    for (std::size_t level = 0; level < levels; ++level) {
        table[level] = table_value(level, cdf[level], cdf_min, cdf.back());
    }
}

void cuda_three_kernels(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                        const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 grid = common::grid_for(in.width, in.height, block);
    const Tables tables(*options.scratch, stream);
    auto* trip = static_cast<RoundTrip*>(options.scratch->pinned(0, sizeof(RoundTrip)));

    compute_histogram<<<grid, threads_of(block), 0, stream>>>(in, tables.histogram);
    common::check_launch();
    compute_cdf<<<1, levels, 0, stream>>>(tables.histogram);
    common::check_launch();
    common::check(cudaMemcpyAsync(trip->cdf.data(), tables.histogram, sizeof(Histogram),
                                  cudaMemcpyDeviceToHost, stream));
    common::check(cudaLaunchHostFunc(stream, make_table_on_cpu, trip));
    common::check(cudaMemcpyAsync(tables.table, trip->table.data(), sizeof(Table),
                                  cudaMemcpyHostToDevice, stream));
    apply_transformation<<<grid, threads_of(block), 0, stream>>>(in, out, tables.table);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_three_kernels",
     .backend = common::Backend::cuda,
     .idea = "the original report's: histogram, scan, look-up; the CPU makes the table"},
    cuda_three_kernels};

}  // namespace equalize
