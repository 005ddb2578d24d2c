// cuda_scan is bound by moving everything twice. This variant is one kernel that reads every pixel
// once and writes every sum once. A block copies a tile of 64 KB to shared memory (32 KB where a
// GPU has less) and needs two prefixes from other tiles: the row sums left of the tile, and the
// sums S in the row above it. With c for the column sums inside the tile,
//
//     S(x, y) = S(x, top-1) + left(top) + ... + left(y) + c(begin, y) + ... + c(x, y)
//
// Tiles get both by decoupled look-back (tile_status.cuh), along the rows and then, with the rows'
// prefixes included, down the columns. A counter numbers the tiles in the order in which blocks
// start, so a tile waits only for tiles of running blocks. Images of up to 512x288 pixels have a
// kernel of thread block clusters instead (small_image.cuh).
//
// Latency hiding bounds the use of the memory bandwidth. Occupancy is three blocks of 8 warps per
// multiprocessor, which leaves 80 registers for a thread: enough for 16 rows in flight. Looking
// back costs little traffic: the states of a tile take 4 KB for the 128 KB that it moves, or 10 KB
// for 192 KB with 64-bit sums.
//
// Look-back keeps it below the rate of a copy: a tile waits for the slowest load of all tiles
// to its left. CUB's scan numbers tiles by blockIdx, which saves the counter, but CUDA does
// not guarantee that blocks start in that order.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"
#include "small_image.cuh"
#include "tile.cuh"
#include "tile_status.cuh"

namespace integral {

static constexpr int blocks_per_multiprocessor = 3;

/// In scratch memory. Each row and each column of each tile has a state.
struct TileStates {
    unsigned long long* counter;  // epoch, and in its lower half the tiles taken
    StatusWord* rows;
    StatusWord* columns;
};

static_assert(blocks_per_multiprocessor * shared_bytes<LargeTile<Sum64>> <= 227 << 10);  // of 9.0

/// Takes the next tile. The block that takes the last one starts the next epoch.
template <class T>
static __device__ TileId take_tile(unsigned long long* counter, unsigned tiles_across,
                                   DeviceView<typename T::Sum> sums) {
    const unsigned long long taken = atomicAdd(counter, 1ull);
    TileId id;
    id.tile = taken;
    id.epoch = taken >> 32;
    if (id.tile == gridDim.x - 1) atomicExch(counter, ((taken >> 32) + 1) << 32);
    id.tile_x = id.tile % tiles_across;
    id.tile_y = id.tile / tiles_across;
    id.left = id.tile_x * T::width;
    id.top = id.tile_y * T::height;
    id.inside = id.left + T::width <= sums.width && id.top + T::height <= sums.height;
    return id;
}

template <class T>
static __global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    scan_tiles(DeviceView<const Pixel> in, DeviceView<typename T::Sum> sums, unsigned tiles_across,
               TileStates states) {
    using Sum = typename T::Sum;
    extern __shared__ uint4 shared_memory[];
    auto& shared = *reinterpret_cast<Shared<T>*>(shared_memory);
    const int thread = threadIdx.x;
    const int warp = thread / warp_size;
    const int lane = thread % warp_size;
    if (thread == 0) shared.id = take_tile<T>(states.counter, tiles_across, sums);
    __syncthreads();
    const TileId& id = shared.id;
    const unsigned epoch = id.epoch;
    const std::ptrdiff_t tile = id.tile;

    if (id.inside) {
        load_tile<true>(in, id.left, id.top, shared);
    } else {
        load_tile<false>(in, id.left, id.top, shared);
    }
    __syncthreads();
    reduce_tile(shared, warp, lane);
    __syncthreads();
    constexpr std::ptrdiff_t row_words = std::ptrdiff_t{T::height} * status_words<Sum>;
    constexpr std::ptrdiff_t column_words = std::ptrdiff_t{T::width} * status_words<Sum>;
    if (thread < T::height) {
        StatusWord* own = states.rows + tile * row_words + thread * status_words<Sum>;
        shared.rows[thread] =
            exclusive_prefix(own, row_words, id.tile_x, epoch, shared.rows[thread]);
    }
    __syncthreads();
    if (warp == 0) aggregate_columns(shared, lane);
    __syncthreads();
    if (thread < T::width) {
        StatusWord* own = states.columns + tile * column_words + thread * status_words<Sum>;
        shared.above[thread] = exclusive_prefix(own, tiles_across * column_words, id.tile_y, epoch,
                                                shared.above[thread]);
    }
    __syncthreads();
    if (id.inside) {
        scan_rows<true>(sums, shared, id.left, id.top, warp, lane);
    } else {
        scan_rows<false>(sums, shared, id.left, id.top, warp, lane);
    }
}

/// Scratch memory for the states of so many tiles, cleared only when it is new.
template <class T>
static TileStates states_for(std::int64_t tiles, common::Scratch& scratch, cudaStream_t stream) {
    constexpr int words_of_sum = status_words<typename T::Sum>;
    const std::size_t row_words = tiles * T::height * words_of_sum;
    const std::size_t column_words = tiles * T::width * words_of_sum;
    const std::size_t bytes = (row_words + column_words) * sizeof(StatusWord);
    auto* counter = static_cast<unsigned long long*>(scratch.get(0, sizeof(unsigned long long)));
    auto* words = static_cast<StatusWord*>(scratch.get(1, bytes));
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
    const TileStates states = states_for<T>(tiles, scratch, stream);
    common::check(cudaFuncSetAttribute(scan_tiles<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       shared_bytes<T>));
    scan_tiles<T><<<tiles, threads, shared_bytes<T>, stream>>>(in, sums, tiles_across, states);
    common::check_launch();
}

template <class Sum>
static void scan(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                 cudaStream_t stream) {
    refuse_block("cuda_best", options);
    const bool clusters = options.limits.device.compute_capability >= 90;
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
     .idea = "one pass over tiles: decoupled look-back along rows, then down columns"},
    Cost::linear,
    scan<Sum32>,
    scan<Sum64>};

}  // namespace integral
