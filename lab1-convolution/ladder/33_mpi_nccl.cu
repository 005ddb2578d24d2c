// mpi_cuda at the speed of one GPU times their number, with a GPU for each rank. NCCL sends the
// halos from GPU memory to GPU memory, over NVLink where there is one, without the CPU
// (common/nccl.cuh). The kernels are those of cuda_best, called for some rows of the rank with the
// k rows above and below them: first those that need no halo, while the halos travel in another
// stream, then the first and the last k rows.
//
// Bound as cuda_best is, by memory, as long as the interior takes longer than the exchange: some
// 20 us for two messages of k rows, whatever the number of GPUs. The launches for the first and the
// last rows, of k rows each, cost another few microseconds.

#include <algorithm>

#include "common/nccl.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;
using common::Ranks;

/// Null in a build without cuda_best.
[[gnu::weak]] void cuda_best_rows(DeviceView<const std::uint8_t> in, int first,
                                  DeviceView<std::uint8_t> out, const Options& options,
                                  cudaStream_t stream);

void mpi_nccl(DeviceView<std::uint8_t> in, DeviceView<std::uint8_t> out, const Options& options,
              const Ranks& ranks, cudaStream_t stream) {
    if (cuda_best_rows == nullptr) throw common::Unsupported("mpi_nccl needs cuda_best");
    const int k = options.mask.radius();
    const int above = ranks.above() != MPI_PROC_NULL ? k : 0;  // rows that exist
    const int below = ranks.below() != MPI_PROC_NULL ? k : 0;
    const auto convolve = [&](int begin, int end) {
        if (begin >= end) return;
        const int from = std::max(begin - k, -above);
        const int to = std::min(end + k, in.height + below);
        cuda_best_rows({in.row(from), in.width, to - from, in.channels, in.pitch}, begin - from,
                       {out.row(begin), out.width, end - begin, out.channels, out.pitch}, options,
                       stream);
    };
    const cudaEvent_t halos = common::start_halos(in, k, ranks, *options.scratch, stream);
    const int bottom = std::max(in.height - below, above);
    convolve(above, bottom);
    common::check(cudaStreamWaitEvent(stream, halos, 0));
    convolve(0, above);
    convolve(bottom, in.height);
}

static const Register registered{
    {.name = "mpi_nccl",
     .backend = common::Backend::mpi,
     .idea = "cuda_best on a GPU per rank; NCCL sends halos while the interior is computed"},
    mpi_nccl,
    halo_rows};

}  // namespace convolution
