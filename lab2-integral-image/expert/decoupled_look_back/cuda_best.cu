// One kernel that reads every pixel once and writes every sum once. A block has a tile of 64 KB in
// shared memory (or 32, where a GPU has less) and needs two things from outside: the sums of its
// rows left of the tile, and the sums S in the row above the tile. With c for the column sums
// inside the tile,
//
//     S(x, y) = S(x, top-1) + left(top) + ... + left(y) + c(begin, y) + ... + c(x, y)
//
// Nobody waits until the tiles before it are finished: tiles publish what they add and look back at
// what others have published (published.cuh), along the rows and then, with the rows' sums
// included, down the columns. Tiles are numbered in the order in which blocks start, so a tile
// waits only for tiles that are under way. Small images go another way (small_image.cuh).
//
// Against cuda_scan: half the traffic, and one kernel. 8 bytes for each pixel with 32-bit sums, 12
// with 64. What is published, twice, is 4 KB for the 128 KB that a tile moves, or 10 KB for 192
// with 64-bit sums, and looking back reads somewhat more from the L2 cache. Bound by memory as long
// as enough is on its way: a tile is held for 15 microseconds from its first load to its last
// store, and three fit on a multiprocessor. Three blocks of 8 warps leave 80 registers for a
// thread, so it can have 16 rows under way at once. That counts for more than many warps: with 40
// or 48 of them the registers spilled.
//
// Comes to 83% of the rate of a copy with 32-bit sums, 75% with 64-bit (8192x8192, NVIDIA H200).
// The rest is waiting: a tile knows what is left of it when the slowest load of all the tiles there
// has come. To number tiles by blockIdx, as CUB's scan does, saves the trip to the counter (85%),
// but CUDA does not promise that blocks start in that order.

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"
#include "problem/warp.cuh"
#include "published.cuh"
#include "small_image.cuh"

namespace integral {

using common::DeviceView;

static constexpr int warps = 8;  // of a block
static constexpr int threads = warps * warp_size;
static constexpr int blocks_per_multiprocessor = 3;

/// Consecutive sums, to be moved as one.
template <class Sum>
struct alignas(16) Sums {
    static constexpr int count = 16 / static_cast<int>(sizeof(Sum));
    Sum values[count];
};

/// So many pixels.
template <class Sum>
struct alignas(sizeof(Pixel) * Sums<Sum>::count) Pixels {
    Pixel values[Sums<Sum>::count];
};

/// Extent of a tile of so many bytes of pixels: a warp stores a row of it with 16 bytes for each
/// lane.
template <class Value, int Bytes>
struct Tile {
    using Sum = Value;
    static constexpr int lane_columns = Sums<Sum>::count;
    static constexpr int width = lane_columns * warp_size;
    static constexpr int height = Bytes / static_cast<int>(sizeof(Pixel)) / width;
    static constexpr int warp_rows = height / warps;
};

// --- the kernel ------------------------------------------------------------------------------

/// What the blocks of a call share, in scratch memory. Rows and columns have words for each tile.
struct Board {
    unsigned long long* counter;  // number of the call, and in its lower half tiles handed out
    Word* rows;
    Word* columns;
};

/// Which tile a block has.
struct Place {
    unsigned tile;  ///< in the order in which blocks start, along the rows of tiles
    unsigned call;
    int tile_x, tile_y;
    int left, top;  ///< first column and row
    bool inside;    ///< all of it lies in the image
};

template <class T>
struct Shared {
    using Sum = typename T::Sum;
    alignas(16) Pixel pixels[T::height][T::width];
    alignas(16) Sum columns[warps][T::width];  // sums over the rows of each warp
    alignas(16) Sum above[T::width];           // sums in the row above the tile
    Sum rows[T::height];                       // sums of the tile's rows, then left of it
    Place place;
};

/// The tile of most GPUs, and one for those that have no room for two of these: at 7.5 a block may
/// have 64 KB, at 8.6, 8.9 and 12.0 a multiprocessor has 100 KB.
template <class Sum>
using LargeTile = Tile<Sum, 64 << 10>;
template <class Sum>
using SmallTile = Tile<Sum, 32 << 10>;
template <class T>
static constexpr int shared_bytes = sizeof(Shared<T>);
static_assert(blocks_per_multiprocessor * shared_bytes<LargeTile<Sum64>> <= 227 << 10);  // of 9.0
static_assert(shared_bytes<SmallTile<Sum64>> <= 48 << 10);  // every GPU has that

/// Takes the next tile. Who takes the last one prepares the counter for the next call.
template <class T>
static __device__ Place take_tile(unsigned long long* counter, unsigned tiles_across,
                                  DeviceView<typename T::Sum> sums) {
    const unsigned long long taken = atomicAdd(counter, 1ull);
    Place place;
    place.tile = static_cast<unsigned>(taken);
    place.call = static_cast<unsigned>(taken >> 32);
    if (place.tile == gridDim.x - 1) atomicExch(counter, ((taken >> 32) + 1) << 32);
    place.tile_x = static_cast<int>(place.tile % tiles_across);
    place.tile_y = static_cast<int>(place.tile / tiles_across);
    place.left = place.tile_x * T::width;
    place.top = place.tile_y * T::height;
    place.inside = place.left + T::width <= sums.width && place.top + T::height <= sums.height;
    return place;
}

/// Copies a tile to shared memory; zeros where the image has no pixels.
template <bool Inside, class T>
static __device__ void load_tile(DeviceView<const Pixel> in, int left, int top, Shared<T>& shared) {
    constexpr int piece = 4;  // pixels in the 16 bytes of a copy
    constexpr int pieces = T::width / piece;
    constexpr int rows = threads / pieces;  // at a time
    const int thread = static_cast<int>(threadIdx.x);
    const int x = thread % pieces * piece;
    const int y = thread / pieces;
    const Pixel* from = in.row(top + y) + left + x;
    const int there = Inside ? piece : min(max(in.width - left - x, 0), piece);
    const int rows_there = in.height - top - y;
#pragma unroll(Inside ? T::height / rows : 1)
    for (int i = 0; i < T::height; i += rows, from += rows * in.pitch) {
        Pixel* to = &shared.pixels[y + i][x];
        if (Inside || (there == piece && i < rows_there)) {
            __pipeline_memcpy_async(to, from, piece * sizeof(Pixel));
        } else {
            for (int k = 0; k < piece; ++k) to[k] = k < there && i < rows_there ? from[k] : 0;
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

/// Adds up the rows and columns of the tile, over the rows of each warp.
template <class T>
static __device__ void sum_up_tile(Shared<T>& shared, int warp, int lane) {
    using Sum = typename T::Sum;
    Sum rows[T::warp_rows];
    Sums<Sum> columns{};
#pragma unroll
    for (int i = 0; i < T::warp_rows; ++i) {
        const auto pixels =
            reinterpret_cast<const Pixels<Sum>*>(shared.pixels[warp * T::warp_rows + i])[lane];
        rows[i] = 0;
#pragma unroll
        for (int k = 0; k < T::lane_columns; ++k) {
            rows[i] += pixels.values[k];
            columns.values[k] += pixels.values[k];
        }
    }
    reinterpret_cast<Sums<Sum>*>(shared.columns[warp])[lane] = columns;
    constexpr int lanes_of_row = warp_size / T::warp_rows;
    const Sum row = warp_sums(rows, lane);
    if (lane % lanes_of_row == 0) shared.rows[warp * T::warp_rows + lane / lanes_of_row] = row;
}

/// The sum of shared.rows[0] … shared.rows[end - 1].
template <class T>
static __device__ typename T::Sum sum_of_rows(const Shared<T>& shared, int end, int lane) {
    typename T::Sum sum = 0;
#pragma unroll
    for (int y = 0; y < T::height; y += warp_size) {
        if (y + lane < end) sum += shared.rows[y + lane];
    }
    return warp_sum(sum);
}

/// What this tile adds to the sums in the row below it: all that it has, and that its rows have
/// left of it, up to column x. Works for one warp; into shared.above.
template <class T>
static __device__ void sum_up_band(Shared<T>& shared, int lane) {
    using Sum = typename T::Sum;
    Sums<Sum> sums{};
#pragma unroll
    for (int w = 0; w < warps; ++w) {
        const Sums<Sum> columns = reinterpret_cast<const Sums<Sum>*>(shared.columns[w])[lane];
#pragma unroll
        for (int k = 0; k < T::lane_columns; ++k) sums.values[k] += columns.values[k];
    }
#pragma unroll
    for (int k = 1; k < T::lane_columns; ++k) sums.values[k] += sums.values[k - 1];
    const Sum own = sums.values[T::lane_columns - 1];
    const Sum before = warp_scan(own, lane) - own + sum_of_rows(shared, T::height, lane);
#pragma unroll
    for (int k = 0; k < T::lane_columns; ++k) sums.values[k] += before;
    reinterpret_cast<Sums<Sum>*>(shared.above)[lane] = sums;
}

/// Past the caches as far as possible: what is published should stay in them.
template <class Sum>
static __device__ void store(Sum* to, const Sums<Sum>& values) {
    __stcs(reinterpret_cast<int4*>(to), *reinterpret_cast<const int4*>(&values));
}

/// The same where the image may end.
template <class Sum>
static __device__ void store_inside(DeviceView<Sum> sums, int x, int y, const Sums<Sum>& values) {
    if (y >= sums.height) return;
    if (x + values.count <= sums.width) return store(sums.row(y) + x, values);
#pragma unroll
    for (int k = 0; k < values.count; ++k) {
        if (x + k < sums.width) sums.at(x + k, y) = values.values[k];
    }
}

/// The rows of a warp, when all that comes from outside is known. Without a question about the
/// border between them, several rows are scanned at once.
template <bool Inside, class T>
static __device__ void scan_rows(DeviceView<typename T::Sum> sums, const Shared<T>& shared,
                                 int left, int top, int warp, int lane) {
    using Sum = typename T::Sum;
    Sums<Sum> columns{};
    for (int w = 0; w < warp; ++w) {
        const Sums<Sum> more = reinterpret_cast<const Sums<Sum>*>(shared.columns[w])[lane];
#pragma unroll
        for (int k = 0; k < T::lane_columns; ++k) columns.values[k] += more.values[k];
    }
    const Sums<Sum> above = reinterpret_cast<const Sums<Sum>*>(shared.above)[lane];
    const int first = warp * T::warp_rows;
    Sum before = sum_of_rows(shared, first, lane);
#pragma unroll(Inside ? T::warp_rows : 1)
    for (int i = 0; i < T::warp_rows; ++i) {
        const auto pixels = reinterpret_cast<const Pixels<Sum>*>(shared.pixels[first + i])[lane];
        before += shared.rows[first + i];
        Sums<Sum> row;
        Sum along = 0;
#pragma unroll
        for (int k = 0; k < T::lane_columns; ++k) {
            columns.values[k] += pixels.values[k];
            along += columns.values[k];
            row.values[k] = along;
        }
        const Sum lanes_before = warp_scan(along, lane) - along;
#pragma unroll
        for (int k = 0; k < T::lane_columns; ++k) {
            row.values[k] += above.values[k] + before + lanes_before;
        }
        const int x = left + lane * T::lane_columns;
        const int y = top + first + i;
        if constexpr (Inside) {
            store(sums.row(y) + x, row);
        } else {
            store_inside(sums, x, y, row);
        }
    }
}

template <class T>
static __global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    scan_tiles(DeviceView<const Pixel> in, DeviceView<typename T::Sum> sums, unsigned tiles_across,
               Board board) {
    using Sum = typename T::Sum;
    extern __shared__ uint4 shared_memory[];
    auto& shared = *reinterpret_cast<Shared<T>*>(shared_memory);
    const int thread = static_cast<int>(threadIdx.x);
    const int warp = thread / warp_size;
    const int lane = thread % warp_size;
    if (thread == 0) shared.place = take_tile<T>(board.counter, tiles_across, sums);
    __syncthreads();
    const Place& place = shared.place;
    const unsigned call = place.call;
    const auto tile = static_cast<std::ptrdiff_t>(place.tile);

    if (place.inside) {
        load_tile<true>(in, place.left, place.top, shared);
    } else {
        load_tile<false>(in, place.left, place.top, shared);
    }
    __syncthreads();
    sum_up_tile(shared, warp, lane);
    __syncthreads();
    constexpr std::ptrdiff_t row_words = std::ptrdiff_t{T::height} * words_of<Sum>;
    constexpr std::ptrdiff_t column_words = std::ptrdiff_t{T::width} * words_of<Sum>;
    if (thread < T::height) {
        Word* own = board.rows + tile * row_words + thread * words_of<Sum>;
        shared.rows[thread] =
            publish_and_look_back(own, row_words, place.tile_x, call, shared.rows[thread]);
    }
    __syncthreads();
    if (warp == 0) sum_up_band(shared, lane);
    __syncthreads();
    if (thread < T::width) {
        Word* own = board.columns + tile * column_words + thread * words_of<Sum>;
        shared.above[thread] = publish_and_look_back(own, tiles_across * column_words, place.tile_y,
                                                     call, shared.above[thread]);
    }
    __syncthreads();
    if (place.inside) {
        scan_rows<true>(sums, shared, place.left, place.top, warp, lane);
    } else {
        scan_rows<false>(sums, shared, place.left, place.top, warp, lane);
    }
}

/// Words for so many tiles. They are cleared when they are new, and never again.
template <class T>
static Board board_for(std::int64_t tiles, common::Scratch& scratch, cudaStream_t stream) {
    constexpr int words_of_sum = words_of<typename T::Sum>;
    const auto row_words = static_cast<std::size_t>(tiles * T::height * words_of_sum);
    const auto column_words = static_cast<std::size_t>(tiles * T::width * words_of_sum);
    const std::size_t bytes = (row_words + column_words) * sizeof(Word);
    auto* counter = static_cast<unsigned long long*>(scratch.get(0, sizeof(unsigned long long)));
    auto* words = static_cast<Word*>(scratch.get(1, bytes));
    std::shared_ptr<void>& cleared = scratch.kept(2);
    if (!cleared || *static_cast<const std::size_t*>(cleared.get()) < bytes) {
        common::check(cudaMemsetAsync(counter, 0, sizeof *counter, stream));
        common::check(cudaMemsetAsync(words, 0, bytes, stream));
        cleared = std::make_shared<std::size_t>(bytes);
    }
    return {counter, words, words + row_words};
}

template <class T>
static void launch(DeviceView<const Pixel> in, DeviceView<typename T::Sum> sums,
                   common::Scratch& scratch, cudaStream_t stream) {
    const int tiles_across = (in.width + T::width - 1) / T::width;
    const int tiles_down = (in.height + T::height - 1) / T::height;
    const std::int64_t tiles = std::int64_t{tiles_across} * tiles_down;
    const Board board = board_for<T>(tiles, scratch, stream);
    common::check(cudaFuncSetAttribute(scan_tiles<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       shared_bytes<T>));
    scan_tiles<T><<<static_cast<unsigned>(tiles), threads, shared_bytes<T>, stream>>>(
        in, sums, static_cast<unsigned>(tiles_across), board);
    common::check_launch();
}

/// Whether a block may have such a tile, and another one fits beside it: a block that is alone on a
/// multiprocessor leaves the memory waiting whenever it waits itself.
template <class T>
static bool has_room_for(const Options& options) {
    const int each =
        shared_bytes<T> + common::device_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    return shared_bytes<T> <= common::shared_bytes_per_block(options) &&
           2 * each <= common::device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
}

template <class Sum>
static void scan(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                 cudaStream_t stream) {
    if (options.block) {
        throw common::Unsupported("cuda_best: blocks have " + std::to_string(threads) +
                                  " threads, because tiles are made for them; leave out --block");
    }
    const bool clusters = options.device_limit.compute_capability >= 90;
    if (clusters && small_image::scan(in, sums, stream)) return;
    const auto launch_tiles =
        has_room_for<LargeTile<Sum>>(options) ? launch<LargeTile<Sum>> : launch<SmallTile<Sum>>;
    launch_tiles(in, sums, *options.scratch, stream);
}

void cuda_best(DeviceView<const Pixel> in, DeviceView<Sum32> sums, const Options& options,
               cudaStream_t stream) {
    scan(in, sums, options, stream);
}

void cuda_best(DeviceView<const Pixel> in, DeviceView<Sum64> sums, const Options& options,
               cudaStream_t stream) {
    scan(in, sums, options, stream);
}

static const Register registered{
    {.name = "cuda_best",
     .backend = common::Backend::cuda,
     .idea =
         "one kernel: tiles publish their sums and look back, along rows and then down columns"},
    Cost::linear,
    cuda_best,
    cuda_best};

}  // namespace integral
