#pragma once

// The steps of a block of cuda_best for its tile: load, reduce, scan, store.

#include <cuda_pipeline.h>

#include <string>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/options.hpp"
#include "warp.cuh"

namespace integral {

using common::DeviceView;

static constexpr int warps = 8;  // of a block
static constexpr int threads = warps * warp_size;

/// Consecutive sums of a row: one vector access of a lane.
template <class Sum>
struct alignas(16) Sums {
    static constexpr int count = 16 / sizeof(Sum);
    Sum values[count];
};

/// The pixels of these sums, of type In.
template <class Sum, class In>
struct alignas(sizeof(In) * Sums<Sum>::count) Pixels {
    In values[Sums<Sum>::count];
};

/// A tile of so many pixels of type In. Its width lets a warp store a row with 16 bytes per lane.
template <class SumType, class InType, int PixelCount>
struct Tile {
    using Sum = SumType;
    using In = InType;
    static constexpr int lane_columns = Sums<Sum>::count;
    static constexpr int width = lane_columns * warp_size;
    static constexpr int size = PixelCount;
    static constexpr int height = PixelCount / width;
    static constexpr int warp_rows = height / warps;
};

/// The tile of a block.
struct TileId {
    unsigned tile;  ///< numbered along the rows of tiles
    unsigned epoch;
    int tile_x, tile_y;
    int left, top;  ///< first column and row
    bool inside;    ///< all of it lies in the image
};

template <class T>
struct Shared {
    using Sum = typename T::Sum;
    alignas(16) typename T::In pixels[T::height][T::width];
    alignas(16) Sum columns[warps][T::width];  // column sums over the rows of each warp
    alignas(16) Sum above[T::width];           // sums in the row above the tile
    Sum rows[T::height];                       // row sums of the tile, then their prefixes
    TileId id;
};

/// The small tile is for GPUs whose multiprocessors have no room for two large ones: at 7.5 a block
/// has at most 64 KB, at 8.6, 8.9 and 12.0 a multiprocessor has 100 KB.
template <class Sum>
using LargeTile = Tile<Sum, Pixel, 16 << 10>;
template <class Sum>
using SmallTile = Tile<Sum, Pixel, 8 << 10>;
template <class T>
static constexpr int shared_bytes = sizeof(Shared<T>);
static_assert(shared_bytes<SmallTile<Sum64>> <= 48 << 10);  // every GPU has that

/// True if two blocks with such tiles fit on a multiprocessor: one alone hides no latency while it
/// waits.
template <class T>
static bool has_room_for(const Options& options) {
    const int each =
        shared_bytes<T> + common::device_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    return shared_bytes<T> <= common::shared_bytes_per_block(options) &&
           2 * each <= common::device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
}

inline void refuse_block(const std::string& variant, const Options& options) {
    if (!options.block) return;
    throw common::Unsupported(variant + ": blocks have " + std::to_string(threads) +
                              " threads, which the size of a tile requires; leave out --block");
}

/// Asynchronous copy of a tile to shared memory; zeros where the image has no pixels.
template <bool Inside, class T>
static __device__ void load_tile(DeviceView<const typename T::In> in, int left, int top,
                                 Shared<T>& shared) {
    using In = typename T::In;
    constexpr int vector = 16 / sizeof(In);     // pixels of a copy
    constexpr int vectors = T::width / vector;  // of a row
    constexpr int rows = threads / vectors;     // at a time
    const int thread = threadIdx.x;
    const int x = thread % vectors * vector;
    const int y = thread / vectors;
    const In* from = in.row(top + y) + left + x;
    const int columns_left = Inside ? vector : min(max(in.width - left - x, 0), vector);
    const int rows_left = in.height - top - y;
#pragma unroll(Inside ? T::height / rows : 1)
    for (int i = 0; i < T::height; i += rows, from += rows * in.pitch) {
        In* to = &shared.pixels[y + i][x];
        if (Inside || (columns_left == vector && i < rows_left)) {
            __pipeline_memcpy_async(to, from, vector * sizeof(In));
        } else {
            for (int k = 0; k < vector; ++k)
                to[k] = k < columns_left && i < rows_left ? from[k] : In{0};
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

/// Reduces the rows of the tile, and its columns over the rows of each warp.
template <class T>
static __device__ void reduce_tile(Shared<T>& shared, int warp, int lane) {
    using Sum = typename T::Sum;
    using Loaded = Pixels<Sum, typename T::In>;
    Sum rows[T::warp_rows];
    Sums<Sum> columns{};
#pragma unroll
    for (int i = 0; i < T::warp_rows; ++i) {
        const auto pixels =
            reinterpret_cast<const Loaded*>(shared.pixels[warp * T::warp_rows + i])[lane];
        rows[i] = 0;
#pragma unroll
        for (int k = 0; k < T::lane_columns; ++k) {
            rows[i] += pixels.values[k];
            columns.values[k] += pixels.values[k];
        }
    }
    reinterpret_cast<Sums<Sum>*>(shared.columns[warp])[lane] = columns;
    constexpr int lanes_of_row = warp_size / T::warp_rows;
    const Sum row = warp_reduce_each(rows, lane);
    if (lane % lanes_of_row == 0) shared.rows[warp * T::warp_rows + lane / lanes_of_row] = row;
}

/// The sum of shared.rows[0] … shared.rows[end - 1].
template <class T>
static __device__ typename T::Sum reduce_rows(const Shared<T>& shared, int end, int lane) {
    typename T::Sum sum = 0;
#pragma unroll
    for (int y = 0; y < T::height; y += warp_size) {
        if (y + lane < end) sum += shared.rows[y + lane];
    }
    return warp_reduce(sum);
}

/// The aggregate of each column: what the tile, and its rows left of it, add to the sums below.
/// One warp calls this. The result goes to shared.above.
template <class T>
static __device__ void aggregate_columns(Shared<T>& shared, int lane) {
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
    const Sum before = warp_scan(own, lane) - own + reduce_rows(shared, T::height, lane);
#pragma unroll
    for (int k = 0; k < T::lane_columns; ++k) sums.values[k] += before;
    reinterpret_cast<Sums<Sum>*>(shared.above)[lane] = sums;
}

/// Streaming store: the tile states should stay in the L2 cache.
template <class Sum>
static __device__ void store(Sum* to, const Sums<Sum>& values) {
    __stcs(reinterpret_cast<int4*>(to), *reinterpret_cast<const int4*>(&values));
}

/// The same at the border of the image.
template <class Sum>
static __device__ void store_clipped(DeviceView<Sum> sums, int x, int y, const Sums<Sum>& values) {
    if (y >= sums.height) return;
    if (x + values.count <= sums.width) return store(sums.row(y) + x, values);
#pragma unroll
    for (int k = 0; k < values.count; ++k) {
        if (x + k < sums.width) sums.at(x + k, y) = values.values[k];
    }
}

/// Scans the rows of a warp, once all prefixes are known. Without border checks the compiler
/// interleaves several rows.
template <bool Inside, class T>
static __device__ void scan_rows(DeviceView<typename T::Sum> sums, const Shared<T>& shared,
                                 int left, int top, int warp, int lane) {
    using Sum = typename T::Sum;
    using Loaded = Pixels<Sum, typename T::In>;
    Sums<Sum> columns{};
    for (int w = 0; w < warp; ++w) {
        const Sums<Sum> more = reinterpret_cast<const Sums<Sum>*>(shared.columns[w])[lane];
#pragma unroll
        for (int k = 0; k < T::lane_columns; ++k) columns.values[k] += more.values[k];
    }
    const Sums<Sum> above = reinterpret_cast<const Sums<Sum>*>(shared.above)[lane];
    const int first = warp * T::warp_rows;
    Sum before = reduce_rows(shared, first, lane);
#pragma unroll(Inside ? T::warp_rows : 1)
    for (int i = 0; i < T::warp_rows; ++i) {
        const auto pixels = reinterpret_cast<const Loaded*>(shared.pixels[first + i])[lane];
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
            store_clipped(sums, x, y, row);
        }
    }
}

}  // namespace integral
