// A GPU for each rank, and sums that NCCL sends from GPU memory to GPU memory (common/nccl.cuh).
// Every sum is written once, so the row of sums above a rank has to be known before. Against
// mpi_cuda, which scans first and then adds that row to all rows: it reads and writes all sums
// again, 16 bytes per pixel of 64-bit sums.
//
// As each rank has to read its pixels first, it gets more out of that than the sums of its columns:
// 1. reduce_tiles adds up the rows and the columns of each tile, and copies its pixels in 8 bits,
//    where all of them fit;
// 2. ncclAllGather gives the sums of each rank's columns to all ranks. Meanwhile the row sums of
//    the tiles are scanned, and then the column sums, those of the ranks above included;
// 3. write_sums has both prefixes of its tile, reads one byte per pixel and writes its sums.
// So tiles do not wait for each other as those of cuda_best do, whose steps these are (tile.cuh):
// this is reduce-then-scan instead of a single pass.
//
// Bound by memory bandwidth: 5 bytes per pixel first and then 9, where cuda_best moves 12 (64-bit
// sums). In a small image, by the messages and by the launches around them.
//
// One rank has nothing above it, and calls cuda_best.

#include <algorithm>
#include <cstdint>

#include "common/nccl.cuh"
#include "expert/decoupled_look_back/tile.cuh"
#include "ladder/parts/tile_prefixes.cuh"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;
using common::Ranks;
using common::Scratch;

/// Null in a build without cuda_best.
[[gnu::weak]] void cuda_best(DeviceView<const Pixel> in, DeviceView<Sum32> sums,
                             const Options& options, cudaStream_t stream);
[[gnu::weak]] void cuda_best(DeviceView<const Pixel> in, DeviceView<Sum64> sums,
                             const Options& options, cudaStream_t stream);

static constexpr int blocks_per_multiprocessor = 3;

/// In scratch memory.
template <class Sum>
struct TileSums {
    Sum* rows;     ///< [tile_x][y]: of each row of a tile, then of the tiles to its left
    Sum* columns;  ///< [tile_y][x]: of each column of a tile, then the sums in the row above it
    std::uint8_t* packed;  ///< [tile][row][column]: pixels
    bool* is_packed;       ///< [tile]
};

template <class T>
static __device__ TileId tile_of_block(int width, int height) {
    TileId id{};
    id.tile = blockIdx.y * gridDim.x + blockIdx.x;
    id.tile_x = blockIdx.x;
    id.tile_y = blockIdx.y;
    id.left = id.tile_x * T::width;
    id.top = id.tile_y * T::height;
    id.inside = id.left + T::width <= width && id.top + T::height <= height;
    return id;
}

/// Copies the lower 8 bits of each pixel. Returns the bits that a thread has seen.
template <class T>
static __device__ unsigned pack(const Shared<T>& shared, std::uint8_t* packed) {
    const int4* const from = reinterpret_cast<const int4*>(shared.pixels);
    unsigned bits = 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < T::size / 4; i += threads) {
        const int4 four = from[i];
        bits |= four.x | four.y | four.z | four.w;
        reinterpret_cast<uchar4*>(packed)[i] = make_uchar4(four.x, four.y, four.z, four.w);
    }
    return bits;
}

template <class T>
static __global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    reduce_tiles(DeviceView<const Pixel> in, TileSums<typename T::Sum> tiles) {
    extern __shared__ uint4 shared_memory[];
    auto& shared = *reinterpret_cast<Shared<T>*>(shared_memory);
    __shared__ unsigned higher;  // bits of pixels that have more than 8
    const int thread = threadIdx.x;
    const TileId id = tile_of_block<T>(in.width, in.height);
    if (thread == 0) higher = 0;
    if (id.inside) {
        load_tile<true>(in, id.left, id.top, shared);
    } else {
        load_tile<false>(in, id.left, id.top, shared);
    }
    __syncthreads();
    const unsigned bits = pack(shared, tiles.packed + std::ptrdiff_t{T::size} * id.tile);
    if (bits > 255) atomicOr(&higher, bits);
    reduce_tile(shared, thread / warp_size, thread % warp_size);
    __syncthreads();
    if (thread == 0) tiles.is_packed[id.tile] = higher == 0;
    const int y = id.top + thread;
    if (thread < T::height && y < in.height) {
        tiles.rows[std::ptrdiff_t{id.tile_x} * in.height + y] = shared.rows[thread];
    }
    const int x = id.left + thread;
    if (thread < T::width && x < in.width) {
        typename T::Sum sum = 0;
#pragma unroll
        for (int warp = 0; warp < warps; ++warp) sum += shared.columns[warp][thread];
        tiles.columns[std::ptrdiff_t{id.tile_y} * in.width + x] = sum;
    }
}

/// Once a tile is loaded.
template <class T>
static __device__ void scan_tile(const TileId& id, TileSums<typename T::Sum> tiles,
                                 Shared<T>& shared, DeviceView<typename T::Sum> sums) {
    const int thread = threadIdx.x;
    const int warp = thread / warp_size;
    const int lane = thread % warp_size;
    __syncthreads();
    reduce_tile(shared, warp, lane);
    __syncthreads();
    const int y = id.top + thread;
    if (thread < T::height && y < sums.height) {
        shared.rows[thread] = tiles.rows[std::ptrdiff_t{id.tile_x} * sums.height + y];
    }
    const int x = id.left + thread;
    if (thread < T::width) {
        const bool inside = x < sums.width;
        shared.above[thread] =
            inside ? tiles.columns[std::ptrdiff_t{id.tile_y} * sums.width + x] : 0;
    }
    __syncthreads();
    if (id.inside) {
        scan_rows<true>(sums, shared, id.left, id.top, warp, lane);
    } else {
        scan_rows<false>(sums, shared, id.left, id.top, warp, lane);
    }
}

template <class T>
static __global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    write_sums(DeviceView<const Pixel> in, TileSums<typename T::Sum> tiles,
               DeviceView<typename T::Sum> sums) {
    using Packed = Tile<typename T::Sum, std::uint8_t, T::size>;
    extern __shared__ uint4 shared_memory[];
    const TileId id = tile_of_block<T>(in.width, in.height);
    if (tiles.is_packed[id.tile]) {
        auto& shared = *reinterpret_cast<Shared<Packed>*>(shared_memory);
        const std::uint8_t* const pixels = tiles.packed + std::ptrdiff_t{T::size} * id.tile;
        load_tile<true>({pixels, T::width, T::height, 1, T::width}, 0, 0, shared);
        scan_tile(id, tiles, shared, sums);
    } else {
        auto& shared = *reinterpret_cast<Shared<T>*>(shared_memory);
        load_tile<false>(in, id.left, id.top, shared);
        scan_tile(id, tiles, shared, sums);
    }
}

template <class Value>
static Value* room(Scratch& scratch, std::size_t slot, std::size_t count) {
    return static_cast<Value*>(scratch.get(slot, count * sizeof(Value)));
}

template <class Sum>
static void scan_tile_sums(Sum* values, unsigned tiles, int length, Sum* totals,
                           cudaStream_t stream) {
    const dim3 block(warp_size, std::min<unsigned>(tiles, scan_warps));
    scan_over_tiles<<<(length - 1) / warp_size + 1, block, 0, stream>>>(values, tiles, length,
                                                                        totals);
    common::check_launch();
}

template <class T>
static void scan_below(DeviceView<const Pixel> in, DeviceView<typename T::Sum> sums,
                       Scratch& scratch, const Ranks& ranks, cudaStream_t stream) {
    using Sum = typename T::Sum;
    const dim3 grid((in.width - 1) / T::width + 1, (in.height - 1) / T::height + 1);
    const std::size_t tile_count = std::size_t{grid.x} * grid.y;
    const std::size_t width = in.width;
    const TileSums<Sum> tiles{room<Sum>(scratch, 3, std::size_t{grid.x} * in.height),
                              room<Sum>(scratch, 4, std::size_t{grid.y} * width),
                              room<std::uint8_t>(scratch, 5, tile_count * T::size),
                              room<bool>(scratch, 6, tile_count)};
    Sum* const own = room<Sum>(scratch, 7, width);
    Sum* const of_ranks = room<Sum>(scratch, 8, ranks.count * width);

    constexpr auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    common::check(cudaFuncSetAttribute(reduce_tiles<T>, attribute, shared_bytes<T>));
    common::check(cudaFuncSetAttribute(write_sums<T>, attribute, shared_bytes<T>));
    reduce_tiles<T><<<grid, threads, shared_bytes<T>, stream>>>(in, tiles);
    common::check_launch();
    scan_tile_sums(tiles.columns, grid.y, in.width, own, stream);
    const cudaStream_t messages = scratch.stream(0, true);
    common::let_wait(messages, stream, scratch);
    common::check(ncclAllGather(own, of_ranks, width, sizeof(Sum) == 8 ? ncclInt64 : ncclInt32,
                                common::nccl_comm(ranks), messages));
    scan_tile_sums<Sum>(tiles.rows, grid.x, in.height, nullptr, stream);
    common::let_wait(stream, messages, scratch);
    scan_rows_above<<<grid.y, scan_warps * warp_size, 0, stream>>>(tiles.columns, in.width,
                                                                   of_ranks, ranks.rank);
    common::check_launch();
    write_sums<T><<<grid, threads, shared_bytes<T>, stream>>>(in, tiles, sums);
    common::check_launch();
}

template <class Sum>
static void mpi_nccl(DeviceView<Pixel> in, DeviceView<Sum> sums, const Options& options,
                     const Ranks& ranks, cudaStream_t stream) {
    refuse_block("mpi_nccl", options);
    common::nccl_comm(ranks);  // refuses ranks without a GPU of their own
    const DeviceView<const Pixel> pixels{in.data, in.width, in.height, in.channels, in.pitch};
    if (ranks.count == 1) {
        void (*alone)(DeviceView<const Pixel>, DeviceView<Sum>, const Options&, cudaStream_t) =
            cuda_best;
        if (alone == nullptr) throw common::Unsupported("mpi_nccl needs cuda_best");
        return alone(pixels, sums, options, stream);
    }
    const auto scan = has_room_for<LargeTile<Sum>>(options) ? scan_below<LargeTile<Sum>>
                                                            : scan_below<SmallTile<Sum>>;
    scan(pixels, sums, *options.scratch, ranks, stream);
}

static const Register registered{
    {.name = "mpi_nccl",
     .backend = common::Backend::mpi,
     .idea = "the tiles of cuda_best on a GPU per rank, their prefixes known; sums by NCCL"},
    Cost::linear,
    mpi_nccl<Sum32>,
    mpi_nccl<Sum64>};

}  // namespace integral
