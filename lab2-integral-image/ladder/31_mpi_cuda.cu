// mpi_scan with each rank's rows in the memory of a GPU, rank r in that of GPU r modulo their
// number. The kernels are those of cuda_lines: a thread scans a row, then a thread a column. The
// last row of sums goes to the CPU, MPI_Exscan adds up these rows over the ranks above, and a third
// kernel adds the result to all rows.
//
// The row that travels is the same as in mpi_scan. New are two copies of `width` sums between GPU
// and CPU, and that the GPU waits for them.

#include <cstring>

#include "common/cuda.cuh"
#include "common/ranks.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;
using common::Ranks;

static MPI_Datatype mpi_type(Sum32) {
    return MPI_INT32_T;
}
static MPI_Datatype mpi_type(Sum64) {
    return MPI_INT64_T;
}

/// The row or column of this thread, whatever the shape of the block.
static __device__ int line_of_thread() {
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    return blockIdx.x * blockDim.x * blockDim.y + thread;
}

template <class Sum>
static __global__ void scan_rows(DeviceView<Pixel> in, DeviceView<Sum> sums) {
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
static __global__ void add_row(DeviceView<Sum> sums, const Sum* above) {
    const int x = line_of_thread();
    if (x >= sums.width) return;
    const Sum more = above[x];
    for (int y = 0; y < sums.height; ++y) sums.at(x, y) += more;
}

template <class Sum>
static void mpi_cuda(DeviceView<Pixel> in, DeviceView<Sum> sums, const Options& options,
                     const Ranks& ranks, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 1});
    const auto blocks_for = [&](int lines) { return (lines - 1) / block.threads() + 1; };
    const dim3 threads = common::threads_of(block);
    scan_rows<<<blocks_for(in.height), threads, 0, stream>>>(in, sums);
    common::check_launch();
    scan_columns<<<blocks_for(in.width), threads, 0, stream>>>(sums);
    common::check_launch();

    const std::size_t bytes = static_cast<std::size_t>(in.width) * sizeof(Sum);
    auto* last = static_cast<Sum*>(options.scratch->pinned(0, bytes));
    auto* above = static_cast<Sum*>(options.scratch->pinned(1, bytes));
    common::check(
        cudaMemcpyAsync(last, sums.row(sums.height - 1), bytes, cudaMemcpyDeviceToHost, stream));
    common::check(cudaStreamSynchronize(stream));
    MPI_Exscan(last, above, in.width, mpi_type(Sum{}), MPI_SUM, ranks.comm);
    if (ranks.rank == 0) return;  // nothing is above, and MPI_Exscan gives rank 0 no result
    auto* on_gpu = static_cast<Sum*>(options.scratch->get(0, bytes));
    common::check(cudaMemcpyAsync(on_gpu, above, bytes, cudaMemcpyHostToDevice, stream));
    add_row<<<blocks_for(in.width), threads, 0, stream>>>(sums, on_gpu);
    common::check_launch();
}

static const Register registered{
    {.name = "mpi_cuda",
     .backend = common::Backend::mpi,
     .idea = "a GPU per rank scans its rows; MPI_Exscan adds up their last rows"},
    Cost::linear,
    mpi_cuda<Sum32>,
    mpi_cuda<Sum64>};

}  // namespace integral
