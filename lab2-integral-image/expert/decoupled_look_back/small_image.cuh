#pragma once

// Latency bounds images of up to 256x256 pixels: of one access to memory, and of the exchange of
// sums through the L2 cache. Here a thread block cluster of eight blocks exchanges column sums
// through distributed shared memory instead, with one cluster barrier. Each block scans 32 rows;
// a warp holds its rows in registers.

#include <cooperative_groups.h>

#include "common/cluster.cuh"
#include "common/view.hpp"
#include "problem/options.hpp"
#include "warp.cuh"

namespace integral::small_image {

using common::DeviceView;

constexpr int blocks = 8;  // of the cluster: the portable maximum
constexpr int warps = 8;   // of a block
constexpr int threads = warps * warp_size;
constexpr int warp_rows = 4;
constexpr int width = threads;  // one thread per column reduces the columns
constexpr int height = blocks * warps * warp_rows;

/// A lane's columns form groups, each one vector access.
constexpr int group_columns = 4;
constexpr int groups = width / (warp_size * group_columns);

/// A group of pixels, or of sums.
template <class Value>
struct alignas(16) Group {
    Value values[group_columns];
};

/// A lane's part of a row.
template <class Value>
struct Row {
    Group<Value> groups[small_image::groups];
};

template <class Sum>
struct Shared {
    alignas(16) Sum of_warps[warps][width];  // column sums of each warp
    Sum of_blocks[blocks][width];            // column sums of each block above
    alignas(16) Sum above[width];            // column sums of all blocks above
};

/// First column of a group.
static __device__ int first_column(int group, int lane) {
    return (group * warp_size + lane) * group_columns;
}

template <class Value, class Sum>
static __device__ void add(Row<Sum>& to, const Row<Value>& row) {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
#pragma unroll
        for (int k = 0; k < group_columns; ++k) {
            to.groups[g].values[k] += row.groups[g].values[k];
        }
    }
}

template <class Sum>
static __device__ Row<Sum> lane_row(const Sum (&row)[width], int lane) {
    Row<Sum> result;
#pragma unroll
    for (int g = 0; g < groups; ++g) {
        result.groups[g] = reinterpret_cast<const Group<Sum>*>(row)[g * warp_size + lane];
    }
    return result;
}

template <class Sum>
static __device__ void store_lane_row(Sum (&row)[width], int lane, const Row<Sum>& part) {
#pragma unroll
    for (int g = 0; g < groups; ++g) {
        reinterpret_cast<Group<Sum>*>(row)[g * warp_size + lane] = part.groups[g];
    }
}

/// Loads the rows of a warp; zeros outside the image. Issues all loads before it uses the first
/// value, so that their latencies overlap.
static __device__ void load(DeviceView<const Pixel> in, int first, int lane,
                            Row<Pixel> (&rows)[warp_rows]) {
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
#pragma unroll
        for (int g = 0; g < groups; ++g) {
            const int x = first_column(g, lane);
            const bool inside = first + i < in.height && x < in.width;
            const auto* from = reinterpret_cast<const Group<Pixel>*>(in.row(first + i) + x);
            rows[i].groups[g] = inside ? *from : Group<Pixel>{};
        }
    }
    if (in.width % group_columns == 0) return;
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
#pragma unroll
        for (int g = 0; g < groups; ++g) {
#pragma unroll
            for (int k = 1; k < group_columns; ++k) {
                if (first_column(g, lane) + k >= in.width) rows[i].groups[g].values[k] = 0;
            }
        }
    }
}

/// Stores the rows of a warp. The last group of a row may be partial: a loop of its own handles it,
/// so that most images do not fetch its instructions.
template <class Sum>
static __device__ void store(DeviceView<Sum> sums, int first, int lane,
                             const Row<Sum> (&rows)[warp_rows]) {
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
        Sum* row = sums.row(first + i);
#pragma unroll
        for (int g = 0; g < groups; ++g) {
            const int x = first_column(g, lane);
            if (first + i < sums.height && x + group_columns <= sums.width) {
                *reinterpret_cast<Group<Sum>*>(row + x) = rows[i].groups[g];
            }
        }
    }
    if (sums.width % group_columns == 0) return;
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
#pragma unroll
        for (int g = 0; g < groups; ++g) {
            const int x = first_column(g, lane);
            if (first + i >= sums.height || x + group_columns <= sums.width) continue;
#pragma unroll
            for (int k = 0; k < group_columns; ++k) {
                if (x + k < sums.width) sums.at(x + k, first + i) = rows[i].groups[g].values[k];
            }
        }
    }
}

/// Inclusive scan along the row.
template <class Sum>
static __device__ void scan_row(Row<Sum>& row, int lane) {
    Sum before = 0;  // the sum of the groups before this one
#pragma unroll
    for (int g = 0; g < groups; ++g) {
        Sum* values = row.groups[g].values;
#pragma unroll
        for (int k = 1; k < group_columns; ++k) values[k] += values[k - 1];
        const Sum own = values[group_columns - 1];
        const Sum up_to_lane = warp_scan(own, lane);
#pragma unroll
        for (int k = 0; k < group_columns; ++k) values[k] += before + up_to_lane - own;
        before += __shfl_sync(all_lanes, up_to_lane, warp_size - 1);
    }
}

/// One cluster scans an image of at most `width` by `height`. Empty where it is compiled for GPUs
/// without clusters.
template <class Sum>
static __global__ void __launch_bounds__(threads)
    scan_in_cluster(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ Shared<Sum> shared;
    const auto cluster = cooperative_groups::this_cluster();
    common::tell_started();
    const int x = static_cast<int>(threadIdx.x);
    const int warp = x / warp_size;
    const int lane = x % warp_size;
    const int block = static_cast<int>(cluster.block_rank());
    const int first = (block * warps + warp) * warp_rows;

    Row<Pixel> pixels[warp_rows];
    load(in, first, lane, pixels);
    Row<Sum> of_warp{};
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) add(of_warp, pixels[i]);
    store_lane_row(shared.of_warps[warp], lane, of_warp);
    __syncthreads();

    Sum of_block = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w) of_block += shared.of_warps[w][x];
    cluster.barrier_wait();  // all blocks have started: their shared memory exists
#pragma unroll
    for (int below = 1; below < blocks; ++below) {
        if (below > block) cluster.map_shared_rank(&shared, below)->of_blocks[block][x] = of_block;
    }
    cluster.barrier_arrive();

    // Overlaps the barrier: scans the rows without the blocks above.
    Row<Sum> columns{};
    for (int w = 0; w < warp; ++w) add(columns, lane_row(shared.of_warps[w], lane));
    Row<Sum> rows[warp_rows];
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
        add(columns, pixels[i]);
        rows[i] = columns;
        scan_row(rows[i], lane);
    }

    cluster.barrier_wait();
    Sum above = 0;
#pragma unroll
    for (int b = 0; b < blocks - 1; ++b) above += b < block ? shared.of_blocks[b][x] : 0;
    shared.above[x] = above;
    __syncthreads();
    Row<Sum> row_above = lane_row(shared.above, lane);
    scan_row(row_above, lane);
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) add(rows[i], row_above);
    store(sums, first, lane, rows);
#endif
}

/// False, and no launch, if the image is too large or the GPU has no clusters.
template <class Sum>
static bool scan(DeviceView<const Pixel> in, DeviceView<Sum> sums, cudaStream_t stream) {
    if (in.width > width || in.height > height) return false;
    return common::launch_cluster(scan_in_cluster<Sum>, blocks, threads, stream, in, sums);
}

}  // namespace integral::small_image
