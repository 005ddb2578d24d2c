// One kernel for the whole equalization: it counts, waits until every block has counted, makes the
// table and looks up. As in cuda_lane_histograms each lane counts in a memory bank of its own, so
// the time does not depend on the picture; and each lane looks up in one, which holds its own copy
// of the table. A level's row of counts is 256 bytes long, so that the address of a count is the
// lane's offset with the pixel put in as the second byte: a single byte permutation.
//
// A pixel is read from memory once: while they count, threads keep what shared memory has room for.
//
// Against cuda_lane_histograms: one launch instead of three and a barrier of all blocks instead of
// two; 16 pixels in a load or store; two instructions per pixel to count it, three to look it up;
// and no call to clear the histogram, because each call clears that of the next. All blocks are on
// the GPU at the same time, one on each multiprocessor.
//
// Two numbers: 2 bytes per pixel over the bandwidth, plus one for those that are not kept, which
// the L2 cache may still have; and for 32 pixels one atomic addition and one load of a warp in
// shared memory, about three cycles of a multiprocessor together. Bound by the additions while it
// counts, and by memory while it looks up. Small images, where only the barrier and the table would
// count, go another way (small_image.cuh), unless a block is given.
//
// Comes to 67% of the rate of a copy of 2 bytes per pixel at 3072x4096, 72% at 7680x4320 (NVIDIA
// H200): 2.3 and 3.1 times as fast as NPP.

#include <cooperative_groups.h>

#include <algorithm>
#include <memory>

#include "chunk.cuh"
#include "common/scratch.hpp"
#include "make_values.cuh"
#include "pixels.cuh"
#include "problem/variant.hpp"
#include "small_image.cuh"

namespace equalize {

using common::DeviceView;

static constexpr int depth = 2;  // chunks that it loads before it needs the first

/// Shared memory. For each level a row of 64 counts, one for each lane of even warps and of odd
/// ones; then the level's new value for each lane, in the first half of the row. GPUs that have no
/// room for that (compute capability 7.5) have a row of 32, which all warps share.
static constexpr int most_counts = 2 * warp;
static constexpr int fewest_counts = warp;

template <int Counts>
static constexpr int row_quads = Counts / 4;
template <int Counts>
static constexpr int rows_bytes = levels* row_quads<Counts>* static_cast<int>(sizeof(uint4));
static_assert(rows_bytes<fewest_counts> + sizeof(TableSpace) <= 48 << 10);  // every GPU has that

/// Sixteen pixels of a row of the image; fewer at its end, none beyond the last row.
struct Chunk {
    int x, y;
    int pixels;
    int index;  ///< how many chunks of its thread come before
    __device__ bool full() const { return pixels == chunk; }
};

/// The chunks of a thread: every so many of the image's, which are numbered row by row.
class Walk {
  public:
    __device__ Walk(int width, int height) : width_(width), height_(static_cast<unsigned>(height)) {
        const unsigned threads = blockDim.x * blockDim.y;
        const unsigned first = blockIdx.x * threads + static_cast<unsigned>(thread_in_block());
        in_row_ = (static_cast<unsigned>(width) - 1) / chunk + 1;
        x_ = first % in_row_;
        y_ = first / in_row_;
        step_x_ = gridDim.x * threads % in_row_;
        step_y_ = gridDim.x * threads / in_row_;
    }

    __device__ bool at_end() const { return y_ >= height_; }

    __device__ Chunk next() {
        const int x = static_cast<int>(x_) * chunk;
        const int pixels = at_end() ? 0 : min(width_ - x, chunk);
        const Chunk here{x, static_cast<int>(y_), pixels, index_++};
        x_ += step_x_;
        y_ += step_y_;
        if (x_ >= in_row_) {
            x_ -= in_row_;
            ++y_;
        }
        return here;
    }

  private:
    int width_;
    unsigned height_, in_row_;
    unsigned x_, y_, step_x_, step_y_;
    int index_ = 0;
};

/// Shared memory in which each thread keeps the first of its chunks, so that they are read once.
struct Kept {
    uint4* memory;
    int chunks;

    __device__ bool has(const Chunk& here) const { return here.index < chunks; }
    __device__ uint4& at(const Chunk& here) const {
        return memory[here.index * threads_in_block() + thread_in_block()];
    }
};

/// Calls act(chunk, load(chunk)) for each chunk of this thread. Some are loaded before the first of
/// them is needed.
template <class Load, class Act>
static __device__ void for_each_chunk(int width, int height, Load load, Act act) {
    Walk walk(width, height);
    while (!walk.at_end()) {
        Chunk chunks[depth];
        uint4 pixels[depth];
#pragma unroll
        for (int i = 0; i < depth; ++i) {
            chunks[i] = walk.next();
            if (chunks[i].pixels > 0) pixels[i] = load(chunks[i]);
        }
#pragma unroll
        for (int i = 0; i < depth; ++i) {
            if (chunks[i].pixels > 0) act(chunks[i], pixels[i]);
        }
    }
}

/// Whole even where fewer pixels are left: rows are padded to more than a chunk.
static __device__ uint4 load(DeviceView<const std::uint8_t> in, const Chunk& here) {
    return *reinterpret_cast<const uint4*>(in.row(here.y) + here.x);
}

/// What word_for() takes for word `word` of a row.
template <int Counts>
static __device__ unsigned column_of(int word) {
    return static_cast<unsigned>(word) * (4 * most_counts / Counts);
}

/// The word for byte `i` of `pixels` in a column of the rows. A row is 256 bytes long, so the pixel
/// is the second byte of an offset; or half as long, as is then the offset.
template <int Counts>
static __device__ Count& word_for(uint4* rows, unsigned pixels, int i, unsigned column) {
    const unsigned offset =
        __byte_perm(pixels, column, 0x5504U + 0x10U * static_cast<unsigned>(i)) /
        (most_counts / Counts);
    return *reinterpret_cast<Count*>(reinterpret_cast<std::uint8_t*>(rows) + offset);
}

template <int Counts>
static __device__ void count_chunks(DeviceView<const std::uint8_t> in, uint4* rows, Kept kept) {
    const unsigned column = column_of<Counts>(thread_in_block() % Counts);
    const auto count = [=](const uint4& pixels, auto has) {
        const unsigned words[] = {pixels.x, pixels.y, pixels.z, pixels.w};
#pragma unroll
        for (int i = 0; i < chunk; ++i) {
            if (has(i)) atomicAdd(&word_for<Counts>(rows, words[i / 4], i % 4, column), Count{1});
        }
    };
    for_each_chunk(
        in.width, in.height, [=](const Chunk& here) { return load(in, here); },
        [=](const Chunk& here, const uint4& pixels) {
            if (kept.has(here)) kept.at(here) = pixels;
            if (here.full()) {
                count(pixels, [](int) { return true; });
            } else {
                count(pixels, [&](int i) { return i < here.pixels; });
            }
        });
}

/// How often this block has seen the level of this thread, for the first 256 threads.
template <int Counts>
static __device__ Count sum_of_row(const uint4* rows) {
    constexpr int quads = row_quads<Counts>;
    const int level = thread_in_block();
    if (level >= levels) return 0;
    Count sum = 0;
    for (int i = 0; i < quads; ++i) {  // begins in other banks than the neighbouring threads
        const uint4 four = rows[level * quads + (i + level) % quads];
        sum += four.x + four.y + four.z + four.w;
    }
    return sum;
}

/// Fills the rows with the table. `count` is how often the image has the level of this thread.
template <int Counts>
static __device__ void make_rows(Count count, Count pixels, uint4* rows) {
    __shared__ TableSpace space;
    make_values(count, pixels, space);
    constexpr int quads = warp / 4;
    for (int i = thread_in_block(); i < levels * quads; i += threads_in_block()) {
        const unsigned value = space.values[i / quads];
        rows[i / quads * row_quads<Counts> + i % quads] = uint4{value, value, value, value};
    }
    __syncthreads();
}

template <int Counts>
static __device__ void look_up_chunks(DeviceView<const std::uint8_t> in,
                                      DeviceView<std::uint8_t> out, uint4* rows, Kept kept) {
    const unsigned column = column_of<Counts>(thread_in_block() % warp);
    const auto look_up_four = [=](unsigned pixels) {
        const auto value = [=](int i) { return word_for<Counts>(rows, pixels, i, column); };
        const unsigned first = __byte_perm(value(0), value(1), 0x0040);
        const unsigned second = __byte_perm(value(2), value(3), 0x0040);
        return __byte_perm(first, second, 0x5410);
    };
    for_each_chunk(
        in.width, in.height,
        [=](const Chunk& here) { return kept.has(here) ? kept.at(here) : load(in, here); },
        [=](const Chunk& here, const uint4& pixels) {
            const uint4 values{look_up_four(pixels.x), look_up_four(pixels.y),
                               look_up_four(pixels.z), look_up_four(pixels.w)};
            std::uint8_t* to = out.row(here.y) + here.x;
            if (here.full()) {
                // Written past the input, which shall stay in the L2 cache until it is read again.
                __stcs(reinterpret_cast<uint4*>(to), values);
            } else {
                store_part(to, values, here.pixels);
            }
        });
}

/// All blocks run at the same time. `histogram` is zero, and leaves `next` so for the next call.
template <int Counts>
static __global__ void __launch_bounds__(1024)
    equalize_at_once(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                     Count* histogram, Count* next, int kept_chunks) {
    extern __shared__ uint4 rows[];
    const Kept kept{rows + levels * row_quads<Counts>, kept_chunks};
    const int level = thread_in_block();
    if (blockIdx.x == 0 && level < levels) next[level] = 0;
    for (int i = thread_in_block(); i < levels * row_quads<Counts>; i += threads_in_block()) {
        rows[i] = uint4{0, 0, 0, 0};
    }
    __syncthreads();
    count_chunks<Counts>(in, rows, kept);
    __syncthreads();
    const Count mine = sum_of_row<Counts>(rows);
    if (mine > 0) atomicAdd(&histogram[level], mine);
    cooperative_groups::this_grid().sync();
    make_rows<Counts>(level < levels ? histogram[level] : 0,
                      static_cast<Count>(in.width) * static_cast<Count>(in.height), rows);
    look_up_chunks<Counts>(in, out, rows, kept);
}

/// With a small image, few threads for each multiprocessor, so that more of these take part.
static common::Block best_block(DeviceView<const std::uint8_t> in) {
    constexpr int rows = levels / warp;  // fewest
    const std::int64_t fewest = levels * common::device_attribute(cudaDevAttrMultiProcessorCount);
    const std::int64_t wanted = (chunks_of(in) - 1) / fewest + 1;
    return {warp, rows * static_cast<int>(std::min<std::int64_t>(wanted, 4))};
}

/// How the image is shared out: one block for each multiprocessor, or fewer if they have a chunk
/// for each thread. A block's threads keep as many of their chunks as shared memory has room for.
struct Shares {
    int blocks;
    int kept_chunks;
    int shared_bytes;  ///< negative if there is not even room for the rows
};

template <int Counts>
static Shares shares_of(DeviceView<const std::uint8_t> in, int threads, const Options& options) {
    cudaFuncAttributes kernel{};
    common::check(cudaFuncGetAttributes(&kernel, equalize_at_once<Counts>));
    const std::int64_t chunks = chunks_of(in);
    const auto blocks = std::min<std::int64_t>(
        (chunks - 1) / threads + 1, common::device_attribute(cudaDevAttrMultiProcessorCount));
    const std::int64_t each = (chunks - 1) / (blocks * threads) + 1;
    const int chunk_bytes = threads * static_cast<int>(sizeof(uint4));  // one of every thread
    const int free = common::shared_bytes_per_block(options) -
                     static_cast<int>(kernel.sharedSizeBytes) - rows_bytes<Counts>;
    if (free < 0) return {.blocks = 0, .kept_chunks = 0, .shared_bytes = free};
    const int kept = static_cast<int>(std::min<std::int64_t>(free / chunk_bytes, each));
    return {static_cast<int>(blocks), kept, rows_bytes<Counts> + kept * chunk_bytes};
}

/// The histograms of this call and of the next: no kernel has to be launched to clear them.
struct Histograms {
    Count* counts;  ///< of two
    bool& second;   ///< whether it is the second one's turn

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

/// False, and nothing is done, if the GPU has too little shared memory for so many counts.
template <int Counts>
static bool launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   common::Block block, const Options& options, cudaStream_t stream) {
    Shares shares = shares_of<Counts>(in, block.threads(), options);
    if (shares.shared_bytes < 0) return false;
    const Histograms histograms = histograms_in(*options.scratch, stream);
    Count* mine = histograms.mine();
    Count* next = histograms.next();
    common::check(cudaFuncSetAttribute(equalize_at_once<Counts>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       shares.shared_bytes));
    void* arguments[] = {&in, &out, &mine, &next, &shares.kept_chunks};
    common::check(cudaLaunchCooperativeKernel(
        equalize_at_once<Counts>, static_cast<unsigned>(shares.blocks), threads_of(block),
        arguments, static_cast<std::size_t>(shares.shared_bytes), stream));
    histograms.second = !histograms.second;  // a launch that failed has used and cleared nothing
    return true;
}

void cuda_best(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
               const Options& options, cudaStream_t stream) {
    const bool clusters = options.device_limit.compute_capability >= 90 && !options.block;
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
     .idea = "one cooperative kernel: 16 pixels at once, lane histograms, a table for each lane"},
    cuda_best};

}  // namespace equalize
