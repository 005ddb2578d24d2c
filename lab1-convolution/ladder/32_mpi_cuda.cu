// Each rank has its block of rows in the memory of a GPU, rank r in that of GPU r modulo their
// number. Two kernels: the interior, whose windows need no halo, is launched first and runs while
// the CPU exchanges the halos in another stream. The first and the last k rows follow.
//
// Against mpi_overlap: the interior runs on another processor, so it overlaps whatever MPI does. A
// halo of k rows is small beside the interior, but its way is long: GPU memory, page-locked memory,
// the neighbour's page-locked memory, GPU memory. With CUDA-aware MPI, it is one step
// (common/halo.cuh).
//
// Bound as cuda_per_pixel is, as long as the interior takes longer than the exchange.

#include <algorithm>

#include "common/halo.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;
using common::Ranks;

/// Rows [begin, end). Rows above and below are there, so that only columns are tested.
template <int Channels>
static __global__ void convolve_rows(DeviceView<const std::uint8_t> in,
                                     DeviceView<std::uint8_t> out, const Mask mask, int begin,
                                     int end) {
    in.channels = out.channels = Channels;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = begin + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= end) return;
    const int k = mask.radius();
    for (int c = 0; c < Channels; ++c) {
        float sum = 0;
        for (int i = -k; i <= k; ++i) {
            for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

void mpi_cuda(DeviceView<std::uint8_t> in, DeviceView<std::uint8_t> out, const Options& options,
              const Ranks& ranks, cudaStream_t stream) {
    const int k = options.mask.radius();
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const DeviceView<const std::uint8_t> pixels{in.data, in.width, in.height, in.channels,
                                                in.pitch};
    const auto kernel = in.channels == 1 ? convolve_rows<1> : convolve_rows<3>;
    const auto launch = [&](int begin, int end) {
        if (begin >= end) return;
        kernel<<<common::grid_for(in.width, end - begin, block), common::threads_of(block), 0,
                 stream>>>(pixels, out, options.mask, begin, end);
        common::check_launch();
    };
    const int top = std::min(k, in.height);
    const int bottom = std::max(in.height - k, top);
    const cudaStream_t halos = options.scratch->stream(0);
    const cudaEvent_t begun = options.scratch->event(1);
    common::check(cudaEventRecord(begun, stream));
    common::check(cudaStreamWaitEvent(halos, begun, 0));  // after earlier work on the rows
    launch(top, bottom);

    const auto bytes = static_cast<std::size_t>(k) * static_cast<std::size_t>(in.pitch);
    if (ranks.above() == MPI_PROC_NULL) {  // zeros around the image
        common::check(cudaMemsetAsync(in.row(-k), 0, bytes, halos));
    }
    if (ranks.below() == MPI_PROC_NULL) {
        common::check(cudaMemsetAsync(in.row(in.height), 0, bytes, halos));
    }
    common::exchange_halos(in, k, ranks, *options.scratch, halos);
    const cudaEvent_t arrived = options.scratch->event(0);
    common::check(cudaEventRecord(arrived, halos));
    common::check(cudaStreamWaitEvent(stream, arrived, 0));
    launch(0, top);
    launch(bottom, in.height);
}

static const Register registered{
    {.name = "mpi_cuda",
     .backend = common::Backend::mpi,
     .idea = "a GPU per rank: the interior is computed while halos travel"},
    mpi_cuda,
    halo_rows};

}  // namespace convolution
