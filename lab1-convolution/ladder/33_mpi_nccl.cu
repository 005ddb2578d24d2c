// mpi_cuda at the speed of one GPU times their number, with a GPU for each rank. NCCL sends the
// halos from GPU memory to GPU memory, over NVLink where there is one, without the CPU
// (common/nccl.cuh). The kernels are those of cuda_best, called for some rows of the rank with the
// k rows above and below them. In one stream, those that need no halo; in another one the halos
// travel, and then the first and the last k rows are computed, while the first stream goes on.
//
// Bound as cuda_best is, as long as the interior takes longer than the messages and the two small
// launches after them. Their time hardly depends on the size of the image.

#include <algorithm>
#include <memory>

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
    const auto convolve = [&](int begin, int end, const Options& own, cudaStream_t in_stream) {
        if (begin >= end) return;
        const int from = std::max(begin - k, -above);
        const int to = std::min(end + k, in.height + below);
        cuda_best_rows({in.row(from), in.width, to - from, in.channels, in.pitch}, begin - from,
                       {out.row(begin), out.width, end - begin, out.channels, out.pitch}, own,
                       in_stream);
    };
    std::shared_ptr<void>& kept = options.scratch->kept(1);
    if (!kept) kept = std::make_shared<common::Scratch>();
    Options of_edges = options;  // with scratch memory of their own, as they have a stream
    of_edges.scratch = static_cast<common::Scratch*>(kept.get());

    const cudaStream_t halos = common::start_halos(in, k, ranks, *options.scratch, stream);
    const int bottom = std::max(in.height - below, above);
    convolve(above, bottom, options, stream);
    convolve(0, above, of_edges, halos);
    convolve(bottom, in.height, of_edges, halos);
    common::let_wait(stream, halos, *options.scratch);
}

static const Register registered{
    {.name = "mpi_nccl",
     .backend = common::Backend::mpi,
     .idea = "cuda_best on a GPU per rank; NCCL sends halos while the interior is computed"},
    mpi_nccl,
    halo_rows};

}  // namespace convolution
