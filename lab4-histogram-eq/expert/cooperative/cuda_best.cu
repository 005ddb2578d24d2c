// `cuda_cooperative` reads the image twice, and a call that clears the histogram precedes it. Here:
//
//   - Threads keep in shared memory the pixels for which it has room, and read those once.
//   - Each call clears the histogram of the next one, which saves the call that clears.
//   - Even and odd warps have counts of their own, where shared memory has room for them.
//   - Small images, in which the barrier and the table dominate, take one thread block cluster
//     without a given block (small_image.cuh).
//
// Bound by reading while it counts: without the additions it takes almost as long (see the report).
// Bound by bandwidth while it looks up: 2 bytes per pixel, and one more for each pixel that is not
// kept, which the L2 cache may still hold. Nothing is read or written while the blocks add up, wait
// and make the table.

#include <cooperative_groups.h>

#include <algorithm>
#include <memory>

#include "common/scratch.hpp"
#include "ladder/parts/lane_rows.cuh"
#include "problem/variant.hpp"
#include "small_image.cuh"

namespace equalize {

using common::DeviceView;

/// A cooperative launch: all blocks are resident. `histogram` is zero; the kernel clears `next`.
template <int Counts>
static __global__ void __launch_bounds__(1024)
    equalize_at_once(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                     Count* histogram, Count* next, int kept_vectors) {
    extern __shared__ uint4 rows[];
    const Kept kept{rows + levels * row_quads<Counts>, kept_vectors};
    const int level = thread_in_block();
    if (blockIdx.x == 0 && level < levels) next[level] = 0;
    clear_rows<Counts>(rows);
    __syncthreads();
    count_vectors<Counts>(in, rows, kept);
    __syncthreads();
    const Count mine = level < levels ? sum_of_row<Counts>(rows, level) : 0;
    if (mine > 0) atomicAdd(&histogram[level], mine);
    cooperative_groups::this_grid().sync();
    make_rows<Counts>(level < levels ? histogram[level] : 0, Count{1} * in.width * in.height, rows);
    look_up_vectors<Counts>(in, out, rows, kept);
}

/// Few threads per block for a small image, so that it occupies more multiprocessors.
static common::Block best_block(DeviceView<const std::uint8_t> in) {
    constexpr int rows = levels / warp;  // at least one thread per level
    const std::int64_t fewest = levels * common::device_attribute(cudaDevAttrMultiProcessorCount);
    const std::int64_t wanted = (vectors_of(in) - 1) / fewest + 1;
    return {warp, rows * static_cast<int>(std::min<std::int64_t>(wanted, 4))};
}

/// One block per multiprocessor, or fewer if these have a thread per vector. Threads keep as many
/// vectors as shared memory has room for.
struct Launch {
    int blocks;
    int kept_vectors;  ///< per thread
    int shared_bytes;  ///< negative if the rows alone do not fit
};

template <int Counts>
static Launch launch_for(DeviceView<const std::uint8_t> in, int threads, const Options& options) {
    cudaFuncAttributes kernel{};
    common::check(cudaFuncGetAttributes(&kernel, equalize_at_once<Counts>));
    const std::int64_t vectors = vectors_of(in);
    const auto blocks = std::min<std::int64_t>(
        (vectors - 1) / threads + 1, common::device_attribute(cudaDevAttrMultiProcessorCount));
    const std::int64_t each = (vectors - 1) / (blocks * threads) + 1;
    const int bytes = threads * sizeof(uint4);  // one vector per thread
    const int free =
        common::shared_bytes_per_block(options) - kernel.sharedSizeBytes - rows_bytes<Counts>;
    if (free < 0) return {.blocks = 0, .kept_vectors = 0, .shared_bytes = free};
    const int kept = std::min<std::int64_t>(free / bytes, each);
    return {static_cast<int>(blocks), kept, rows_bytes<Counts> + kept * bytes};
}

/// Double buffering: the histogram of this call, and that of the next, which this call clears.
struct Histograms {
    Count* counts;  ///< of both
    bool& second;   ///< whether this call uses the second

    Count* mine() const { return second ? counts + levels : counts; }
    Count* next() const { return second ? counts : counts + levels; }
};

static Histograms histograms_in(common::Scratch& scratch, cudaStream_t stream) {
    constexpr std::size_t bytes = 2 * levels * sizeof(Count);
    auto* counts = static_cast<Count*>(scratch.get(0, bytes));
    std::shared_ptr<void>& kept = scratch.kept(0);
    if (!kept) {
        common::check(cudaMemsetAsync(counts, 0, bytes, stream));
        kept = std::make_shared<bool>(false);
    }
    return {counts, *static_cast<bool*>(kept.get())};
}

/// Returns false, without effect, if the GPU has too little shared memory for so many counts.
template <int Counts>
static bool launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   common::Block block, const Options& options, cudaStream_t stream) {
    Launch shape = launch_for<Counts>(in, block.threads(), options);
    if (shape.shared_bytes < 0) return false;
    const Histograms histograms = histograms_in(*options.scratch, stream);
    Count* mine = histograms.mine();
    Count* next = histograms.next();
    common::check(cudaFuncSetAttribute(
        equalize_at_once<Counts>, cudaFuncAttributeMaxDynamicSharedMemorySize, shape.shared_bytes));
    void* arguments[] = {&in, &out, &mine, &next, &shape.kept_vectors};
    common::check(cudaLaunchCooperativeKernel(equalize_at_once<Counts>, shape.blocks,
                                              threads_of(block), arguments, shape.shared_bytes,
                                              stream));
    histograms.second = !histograms.second;  // not after a launch that failed
    return true;
}

void cuda_best(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
               const Options& options, cudaStream_t stream) {
    const bool clusters = options.limits.device.compute_capability >= 90 && !options.block;
    if (clusters && small_image::equalize(in, out, stream)) return;
    const common::Block block = options.block.value_or(best_block(in));
    if (block.threads() < levels || block.threads() % warp != 0) {
        throw common::Unsupported("block " + to_string(block) +
                                  ": cuda_best needs whole warps, and a thread for each of the " +
                                  std::to_string(levels) + " levels");
    }
    if (launch<most_counts>(in, out, block, options, stream)) return;
    launch<fewest_counts>(in, out, block, options, stream);
}

static const Register registered{
    {.name = "cuda_best",
     .backend = common::Backend::cuda,
     .idea = "one cooperative kernel that keeps pixels in shared memory; clusters"},
    cuda_best};

}  // namespace equalize
