// mpi_cuda at the speed of several GPUs. NCCL adds up the 256 counts from GPU memory to GPU memory
// (ncclAllReduce, common/nccl.cuh), and every block makes the table by itself, so nothing goes to
// the CPU. The kernels are made of the parts of cuda_best (ladder/parts/lane_rows.cuh). They are
// two in place of its one, because the sum over GPUs is a launch of NCCL: no pixel stays in shared
// memory from counting to looking up.
//
// Bound as cuda_best is, by reading and by bandwidth, and by the sum over GPUs, in which nothing
// else can be done, and which takes as long for a small image as for a large one.

#include <memory>
#include <utility>

#include "common/nccl.cuh"
#include "ladder/parts/lane_rows.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;
using common::Ranks;

static constexpr Kept keep_nothing{nullptr, 0};

/// `histogram` is zero.
template <int Counts>
static __global__ void __launch_bounds__(1024)
    count_band(DeviceView<const std::uint8_t> in, Count* histogram) {
    extern __shared__ uint4 rows[];
    const int level = thread_in_block();
    clear_rows<Counts>(rows);
    __syncthreads();
    count_vectors<Counts>(in, rows, keep_nothing);
    __syncthreads();
    const Count mine = level < levels ? sum_of_row<Counts>(rows, level) : 0;
    if (mine > 0) atomicAdd(&histogram[level], mine);
}

/// Clears `own` for the next call.
template <int Counts>
static __global__ void __launch_bounds__(1024)
    look_up_band(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out, Count* own,
                 const Count* histogram, Count pixels) {
    extern __shared__ uint4 rows[];
    const int level = thread_in_block();
    if (blockIdx.x == 0 && level < levels) own[level] = 0;
    make_rows<Counts>(level < levels ? histogram[level] : 0, pixels, rows);
    look_up_vectors<Counts>(in, out, rows, keep_nothing);
}

template <int Counts>
static void equalize_band(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          common::Block block, common::Scratch& scratch, const Ranks& ranks,
                          cudaStream_t stream) {
    auto* own = static_cast<Count*>(scratch.get(0, 2 * levels * sizeof(Count)));
    Count* const all = own + levels;
    const ncclComm_t comm = common::nccl_comm(ranks);
    std::shared_ptr<void>& cleared = scratch.kept(0);  // empty after a call that failed
    if (!std::exchange(cleared, nullptr)) {
        common::check(cudaMemsetAsync(own, 0, levels * sizeof(Count), stream));
    }
    constexpr int bytes = rows_bytes<Counts>;
    constexpr auto shared = cudaFuncAttributeMaxDynamicSharedMemorySize;
    common::check(cudaFuncSetAttribute(count_band<Counts>, shared, bytes));
    common::check(cudaFuncSetAttribute(look_up_band<Counts>, shared, bytes));
    const unsigned blocks = vector_blocks(in, block);
    const dim3 threads = threads_of(block);
    count_band<Counts><<<blocks, threads, bytes, stream>>>(in, own);
    common::check_launch();
    common::check(ncclAllReduce(own, all, levels, ncclUint32, ncclSum, comm, stream));
    look_up_band<Counts><<<blocks, threads, bytes, stream>>>(
        in, out, own, all, Count{1} * in.width * ranks.image_height);
    common::check_launch();
    cleared = std::make_shared<bool>(true);
}

void mpi_nccl(DeviceView<std::uint8_t> in, DeviceView<std::uint8_t> out, const Options& options,
              const Ranks& ranks, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{warp, 1024 / warp});
    if (block.threads() < levels || block.threads() % warp != 0) {
        throw common::Unsupported("block " + to_string(block) +
                                  ": mpi_nccl needs whole warps, and a thread for each of the " +
                                  std::to_string(levels) + " levels");
    }
    const DeviceView<const std::uint8_t> pixels{in.data, in.width, in.height, in.channels,
                                                in.pitch};
    constexpr int most = rows_bytes<most_counts> + sizeof(BlockTable);
    const auto equalize = common::shared_bytes_per_block(options) < most
                              ? equalize_band<fewest_counts>
                              : equalize_band<most_counts>;
    equalize(pixels, out, block, *options.scratch, ranks, stream);
}

static const Register registered{
    {.name = "mpi_nccl",
     .backend = common::Backend::mpi,
     .idea = "a GPU per rank counts and looks up; NCCL adds up the histograms"},
    mpi_nccl};

}  // namespace equalize
