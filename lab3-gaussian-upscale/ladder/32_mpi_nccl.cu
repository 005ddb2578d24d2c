// mpi_cuda at the speed of one GPU times their number, with a GPU for each rank: the kernels of
// cuda_best, and halos that NCCL sends from GPU memory to GPU memory (common/nccl.cuh). In one
// stream, source rows whose windows lie in the rank's own rows are resampled; in another one the
// halos travel, and then the first and the last rows follow, while the first stream goes on.
//
// Bound as cuda_best is, by instruction issue and memory, as long as the interior takes longer than
// the messages and the two small launches after them.

#include <algorithm>

#include "common/nccl.cuh"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;
using common::Ranks;

/// Null in a build without cuda_best.
[[gnu::weak]] void cuda_best_rows(DeviceView<const std::uint8_t> in, int first,
                                  DeviceView<std::uint8_t> out, const Options& options,
                                  cudaStream_t stream);

void mpi_nccl(DeviceView<std::uint8_t> in, DeviceView<std::uint8_t> out, const Options& options,
              const Ranks& ranks, cudaStream_t stream) {
    if (cuda_best_rows == nullptr) throw common::Unsupported("mpi_nccl needs cuda_best");
    const int radius = options.weights.radius;
    const int above = ranks.above() != MPI_PROC_NULL ? radius : 0;  // rows that exist
    const int below = ranks.below() != MPI_PROC_NULL ? radius : 0;
    const auto upscale = [&](int begin, int end, cudaStream_t in_stream) {
        if (begin >= end) return;
        const int from = std::max(begin - radius, -above);
        const int to = std::min(end + radius, in.height + below);
        cuda_best_rows({in.row(from), in.width, to - from, in.channels, in.pitch}, begin - from,
                       {out.row(2 * begin), out.width, 2 * (end - begin), out.channels, out.pitch},
                       options, in_stream);
    };
    const cudaStream_t halos = common::start_halos(in, radius, ranks, *options.scratch, stream);
    const int bottom = std::max(in.height - below, above);
    upscale(above, bottom, stream);
    upscale(0, above, halos);
    upscale(bottom, in.height, halos);
    common::let_wait(stream, halos, *options.scratch);
}

static const Register registered{
    {.name = "mpi_nccl",
     .backend = common::Backend::mpi,
     .idea = "cuda_best on a GPU per rank; NCCL sends halos while the interior is computed"},
    mpi_nccl,
    halo_rows};

}  // namespace upscale
