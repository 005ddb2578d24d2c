// mpi_cuda with the kernel of cuda_best, a GPU for each rank, and sums that NCCL sends from GPU
// memory to GPU memory (common/nccl.cuh). cuda_best writes sums once and reads none, so they have
// to be right when it writes them: every rank needs the row of sums above its rows first. So three
// steps precede it: each rank adds up its columns, ncclAllGather gives these `width` sums to all
// ranks, and each adds those of the ranks above and scans them. cuda_best then begins with
// this row in place of zeros.
//
// Against mpi_cuda, which scans first and then adds a row to all rows: that reads and writes all
// sums again, 16 bytes per pixel of 64-bit sums; the columns take 4 bytes. With 64-bit sums,
// cuda_best alone moves 12 bytes per pixel. So n GPUs reach at most 12 / (12 + 4) = 75 % of n times
// one GPU, if both kernels use the same part of the bandwidth.
//
// One rank has nothing above it, and calls cuda_best alone.

#include <algorithm>

#include "common/nccl.cuh"
#include "expert/decoupled_look_back/warp.cuh"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;
using common::Ranks;

/// The sums of `in` plus, in column x, above[x]. Null in a build without cuda_best.
[[gnu::weak]] void cuda_best_below(DeviceView<const Pixel> in, const Sum32* above,
                                   DeviceView<Sum32> sums, const Options& options,
                                   cudaStream_t stream);
[[gnu::weak]] void cuda_best_below(DeviceView<const Pixel> in, const Sum64* above,
                                   DeviceView<Sum64> sums, const Options& options,
                                   cudaStream_t stream);

static constexpr int block_size = 256;  // each thread has four columns: one load of 16 bytes
static constexpr int columns = 4;
static constexpr int rows = 64;  // of a block
static constexpr int scan_size = warp_size * warp_size;

/// Adds the columns of `in` to `sums`.
template <class Sum>
static __global__ void add_columns(DeviceView<const Pixel> in, Sum* sums) {
    const int x = columns * (blockIdx.x * block_size + threadIdx.x);
    const int top = blockIdx.y * rows;
    const int bottom = min(top + rows, in.height);
    if (x >= in.width) return;
    Sum mine[columns] = {};
#pragma unroll 8
    for (int y = top; y < bottom; ++y) {
        const int4 four = *reinterpret_cast<const int4*>(in.row(y) + x);  // or padding
        mine[0] += four.x;
        mine[1] += four.y;
        mine[2] += four.z;
        mine[3] += four.w;
    }
    using Bits = std::conditional_t<sizeof(Sum) == 8, unsigned long long, unsigned>;
    for (int i = 0; i < columns && x + i < in.width; ++i) {
        atomicAdd(reinterpret_cast<Bits*>(sums + x + i), static_cast<Bits>(mine[i]));
    }
}

/// The row of sums above a rank, from the column sums of the ranks above it. A block scans as many
/// columns as it has threads, after it has added up all columns to their left.
template <class Sum>
static __global__ void __launch_bounds__(scan_size)
    scan_above(const Sum* of_ranks, int ranks, int width, Sum* above) {
    __shared__ Sum left_of_block[warp_size];  // from each warp
    __shared__ Sum of_warps[warp_size];
    const int begin = blockIdx.x * scan_size;
    const int thread = threadIdx.x;
    const int warp = thread / warp_size;
    const int lane = thread % warp_size;
    const auto column = [=](int x) {
        Sum sum = 0;
        for (int rank = 0; rank < ranks; ++rank) sum += of_ranks[std::ptrdiff_t{rank} * width + x];
        return sum;
    };
    Sum left = 0;
    for (int x = thread; x < begin; x += scan_size) left += column(x);
    left = warp_reduce(left);
    const int x = begin + thread;
    const Sum scanned = warp_scan(x < width ? column(x) : Sum{0}, lane);
    if (lane == warp_size - 1) {
        left_of_block[warp] = left;
        of_warps[warp] = scanned;
    }
    __syncthreads();
    const Sum before = left_of_block[lane] + (lane < warp ? of_warps[lane] : 0);
    const Sum sum = warp_reduce(before) + scanned;
    if (x < width) above[x] = sum;
}

template <class Sum>
static void mpi_nccl(DeviceView<Pixel> in, DeviceView<Sum> sums, const Options& options,
                     const Ranks& ranks, cudaStream_t stream) {
    void (*scan)(DeviceView<const Pixel>, const Sum*, DeviceView<Sum>, const Options&,
                 cudaStream_t) = cuda_best_below;
    if (scan == nullptr) throw common::Unsupported("mpi_nccl needs cuda_best");
    const DeviceView<const Pixel> pixels{in.data, in.width, in.height, in.channels, in.pitch};
    const ncclComm_t comm = common::nccl_comm(ranks);
    if (ranks.count == 1) return scan(pixels, nullptr, sums, options, stream);

    const auto width = static_cast<std::size_t>(in.width);
    const auto count = static_cast<std::size_t>(ranks.count);
    auto* own = static_cast<Sum*>(options.scratch->get(3, (count + 2) * width * sizeof(Sum)));
    Sum* const of_ranks = own + width;
    Sum* const above = of_ranks + count * width;
    common::check(cudaMemsetAsync(own, 0, width * sizeof(Sum), stream));
    const dim3 blocks((in.width - 1) / (columns * block_size) + 1, (in.height - 1) / rows + 1);
    add_columns<<<blocks, block_size, 0, stream>>>(pixels, own);
    common::check_launch();
    common::check(ncclAllGather(own, of_ranks, width, sizeof(Sum) == 8 ? ncclInt64 : ncclInt32,
                                comm, stream));
    scan_above<<<(in.width - 1) / scan_size + 1, scan_size, 0, stream>>>(of_ranks, ranks.rank,
                                                                         in.width, above);
    common::check_launch();
    scan(pixels, above, sums, options, stream);
}

static const Register registered{
    {.name = "mpi_nccl",
     .backend = common::Backend::mpi,
     .idea = "cuda_best on a GPU per rank, below the columns of the ranks above, by NCCL"},
    Cost::linear,
    mpi_nccl<Sum32>,
    mpi_nccl<Sum64>};

}  // namespace integral
