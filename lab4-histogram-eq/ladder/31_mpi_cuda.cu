// mpi_reduce with each rank's rows in the memory of a GPU, rank r in that of GPU r modulo their
// number. The kernels are those of cuda_shared_atomics, but the table is made by the CPU: the 256
// counts of a rank go there, MPI_Allreduce adds them up over the ranks, and the table goes back.
//
// 1 KiB to the CPU and 256 bytes back, whatever the size of the image: for large images the kernels
// bound it, for small ones the latency of these copies and of the reduction. The GPU waits for
// both. With CUDA-aware MPI, MPI_Allreduce takes counts in GPU memory, but adds them up on the CPU
// too.

#include "common/cuda.cuh"
#include "common/ranks.hpp"
#include "problem/lookup.cuh"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;
using common::Ranks;

static __global__ void __launch_bounds__(1024)
    count_in_shared(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    for_each_pixel(in, [&](std::uint8_t level) { atomicAdd(&counts[level], Count{1}); });
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);
    }
}

/// Page-locked memory.
struct RoundTrip {
    Histogram histogram;
    Table table;
};

void mpi_cuda(DeviceView<std::uint8_t> in, DeviceView<std::uint8_t> out, const Options& options,
              const Ranks& ranks, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 grid = row_blocks(in.height, block);
    const dim3 threads = common::threads_of(block);
    const DeviceView<const std::uint8_t> pixels{in.data, in.width, in.height, in.channels,
                                                in.pitch};
    auto* histogram = static_cast<Count*>(options.scratch->get(0, sizeof(Histogram)));
    auto* table = static_cast<std::uint8_t*>(options.scratch->get(1, sizeof(Table)));
    auto* trip = static_cast<RoundTrip*>(options.scratch->pinned(0, sizeof(RoundTrip)));

    common::check(cudaMemsetAsync(histogram, 0, sizeof(Histogram), stream));
    count_in_shared<<<grid, threads, 0, stream>>>(pixels, histogram);
    common::check_launch();
    common::check(cudaMemcpyAsync(trip->histogram.data(), histogram, sizeof(Histogram),
                                  cudaMemcpyDeviceToHost, stream));
    common::check(cudaStreamSynchronize(stream));
    MPI_Allreduce(MPI_IN_PLACE, trip->histogram.data(), levels, MPI_UINT32_T, MPI_SUM, ranks.comm);
    trip->table = table_from_histogram(trip->histogram);
    common::check(
        cudaMemcpyAsync(table, trip->table.data(), sizeof(Table), cudaMemcpyHostToDevice, stream));
    look_up<<<grid, threads, 0, stream>>>(pixels, out, table);
    common::check_launch();
}

static const Register registered{
    {.name = "mpi_cuda",
     .backend = common::Backend::mpi,
     .idea = "a GPU per rank counts and looks up; MPI_Allreduce of the histograms"},
    mpi_cuda};

}  // namespace equalize
