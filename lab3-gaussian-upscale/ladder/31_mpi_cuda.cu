// mpi_rows with each rank's rows in the memory of a GPU, rank r in that of GPU r modulo their
// number. The halo travels between GPU memories (common/halo.cuh); at the edges of the image,
// copies of the first and the last row fill the room. Then one kernel computes all output rows.
//
// Bound as cuda_constant is. The exchange is not hidden: lab 1's mpi_cuda shows how.

#include "common/halo.cuh"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;
using common::Ranks;

/// Source rows of the halo are there, so that only columns are clamped.
template <int Channels>
static __global__ void upscale_rows(DeviceView<std::uint8_t> in, DeviceView<std::uint8_t> out,
                                    const Weights weights) {
    in.channels = out.channels = Channels;
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    const int radius = weights.radius;
    for (int c = 0; c < Channels; ++c) {
        float sum = 0;
        for (int j = -radius; j <= radius; ++j) {
            const int y = Y / 2 + j * direction(Y);
            float row = 0;
            for (int i = -radius; i <= radius; ++i) {
                const int x = min(max(X / 2 + i * direction(X), 0), in.width - 1);
                row += static_cast<float>(in.at(x, y, c)) * weights.at(i);
            }
            sum += row * weights.at(j);
        }
        out.at(X, Y, c) = to_pixel(sum);
    }
}

static void copy_row(DeviceView<std::uint8_t> in, int from, int to, cudaStream_t stream) {
    common::check(cudaMemcpyAsync(in.row(to), in.row(from),
                                  static_cast<std::size_t>(in.row_length()),
                                  cudaMemcpyDeviceToDevice, stream));
}

void mpi_cuda(DeviceView<std::uint8_t> in, DeviceView<std::uint8_t> out, const Options& options,
              const Ranks& ranks, cudaStream_t stream) {
    const int radius = options.weights.radius;
    common::exchange_halos(in, radius, ranks, *options.scratch, stream);
    for (int i = 1; i <= radius; ++i) {
        if (ranks.above() == MPI_PROC_NULL) copy_row(in, 0, -i, stream);
        if (ranks.below() == MPI_PROC_NULL) copy_row(in, in.height - 1, in.height - 1 + i, stream);
    }
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const auto kernel = in.channels == 1 ? upscale_rows<1> : upscale_rows<3>;
    kernel<<<common::grid_for(out.width, out.height, block), common::threads_of(block), 0,
             stream>>>(in, out, options.weights);
    common::check_launch();
}

static const Register registered{{.name = "mpi_cuda",
                                  .backend = common::Backend::mpi,
                                  .idea = "a GPU per rank; halos between GPU memories"},
                                 mpi_cuda,
                                 halo_rows,
                                 Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale
