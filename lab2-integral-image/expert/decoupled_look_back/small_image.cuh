#pragma once

// Latency bounds images of up to 512x288 pixels: of one access to memory, of the exchange of sums,
// and of fetching instructions, which are not in a cache yet either. A thread block cluster of 16
// blocks scans a strip of 128 columns (64-bit sums: 64). It also loads all pixels to the left and
// adds their sum to the strip's first column, so clusters need nothing from each other. The blocks
// of a cluster exchange their column sums through distributed shared memory. Asynchronous stores
// (st.async) count their bytes in an mbarrier of the receiving block, which saves a barrier of the
// cluster and its fence. A warp holds its two rows in registers. Loops that run once per warp or
// per block are not unrolled: unrolled, they cost more for their instructions than they save.

#include <cooperative_groups.h>

#include <cstring>

#include "common/cluster.cuh"
#include "common/ptx.cuh"
#include "common/view.hpp"
#include "problem/options.hpp"
#include "warp.cuh"

namespace integral::small_image {

using common::DeviceView;

constexpr int blocks = 16;  // of a cluster: GPUs may refuse more than eight
constexpr int warp_rows = 2;
constexpr int most_columns = 512;  // of the image

/// A lane's columns of a strip: their sums are one vector access.
template <class Sum>
constexpr int lane_columns = 16 / sizeof(Sum);
template <class Sum>
constexpr int strip_columns = warp_size* lane_columns<Sum>;

/// A lane's pixels, or sums, of a row of the strip.
template <class Sum, class Value = Sum>
struct alignas(lane_columns<Sum> * sizeof(Value)) Group {
    Value values[lane_columns<Sum>];

    __device__ void add(Group other) {
#pragma unroll
        for (int k = 0; k < lane_columns<Sum>; ++k) values[k] += other.values[k];
    }
};

/// A row of column sums; a group for each lane.
template <class Sum>
using Columns = Group<Sum>[warp_size];

/// The shared memory of a block of `Warps` warps.
template <class Sum, int Warps>
struct Shared {
    static constexpr int warps = Warps;
    static constexpr int threads = Warps * warp_size;
    static constexpr int height = blocks * Warps * warp_rows;  // of the image, at most

    Columns<Sum> of_warps[Warps];
    Columns<Sum> of_blocks[blocks - 1];  // of the blocks above
    Columns<Sum> above;                  // the sums of these
    unsigned long long mbarrier;
};

/// A lane's pixels of a row: [0] in its strip, [n] in the n-th strip to the left.
template <class Sum>
struct PixelRow {
    static constexpr int strips = most_columns / strip_columns<Sum>;
    Group<Sum, Pixel> groups[strips];
};

/// First column of a lane.
template <class Sum>
static __device__ int first_column(int strip, int lane) {
    return strip * strip_columns<Sum> + lane * lane_columns<Sum>;
}

/// Loads a row; zeros outside the image.
template <class Sum>
static __device__ PixelRow<Sum> load(DeviceView<const Pixel> in, int y, int strip, int lane) {
    PixelRow<Sum> row;
#pragma unroll
    for (int n = 0; n < PixelRow<Sum>::strips; ++n) {
        const int x = first_column<Sum>(strip - n, lane);
        const bool inside = n <= strip && y < in.height && x < in.width;
        const auto* from = reinterpret_cast<const Group<Sum, Pixel>*>(in.row(y) + x);
        row.groups[n] = inside ? *from : Group<Sum, Pixel>{};
    }
    return row;
}

/// The lane's pixels of the strip. The sum of all pixels to the left of the strip is added to its
/// first one.
template <class Sum>
static __device__ Group<Sum> with_left(const PixelRow<Sum>& row, int width, int strip, int lane) {
    Group<Sum> group;
#pragma unroll
    for (int k = 0; k < lane_columns<Sum>; ++k) {
        const bool inside = first_column<Sum>(strip, lane) + k < width;
        group.values[k] = inside ? row.groups[0].values[k] : 0;
    }
    if (strip == 0) return group;
    Sum left = 0;
#pragma unroll
    for (int n = 1; n < PixelRow<Sum>::strips; ++n) {
#pragma unroll
        for (int k = 0; k < lane_columns<Sum>; ++k) left += row.groups[n].values[k];
    }
    left = warp_reduce(left);
    if (lane == 0) group.values[0] += left;
    return group;
}

/// Inclusive scan along the row.
template <class Sum>
static __device__ Group<Sum> scan_row(Group<Sum> group, int lane) {
    Sum* values = group.values;
#pragma unroll
    for (int k = 1; k < lane_columns<Sum>; ++k) values[k] += values[k - 1];
    const Sum own = values[lane_columns<Sum> - 1];
    const Sum before = warp_scan(own, lane) - own;
#pragma unroll
    for (int k = 0; k < lane_columns<Sum>; ++k) values[k] += before;
    return group;
}

/// Stores a lane's sums of row y from column x on, as far as they are inside the image.
template <class Sum>
static __device__ void store(DeviceView<Sum> sums, int x, int y, const Group<Sum>& group) {
    if (y >= sums.height) return;
    if (x + lane_columns<Sum> <= sums.width) {
        *reinterpret_cast<Group<Sum>*>(&sums.at(x, y)) = group;
    } else {
#pragma unroll
        for (int k = 0; k < lane_columns<Sum>; ++k) {
            if (x + k < sums.width) sums.at(x + k, y) = group.values[k];
        }
    }
}

/// The sum of the first `count` rows.
template <class Sum, int Rows>
static __device__ Group<Sum> sum_of_rows(const Columns<Sum> (&rows)[Rows], int count, int lane) {
    Group<Sum> sum{};
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
        if (row >= count) break;
        sum.add(rows[row][lane]);
    }
    return sum;
}

/// Stores the column sums of this block in all blocks below it. The warps share those.
template <class Sum, int Warps>
static __device__ void send_below(Shared<Sum, Warps>& shared, int block, int warp, int lane) {
    const Group<Sum> sums = sum_of_rows<Sum>(shared.of_warps, Warps, lane);
    uint4 value;
    std::memcpy(&value, &sums, sizeof value);
#pragma unroll 1
    for (int below = block + 1 + warp; below < blocks; below += Warps) {
        common::store_async(&shared.of_blocks[block][lane], &shared.mbarrier, below, value);
    }
}

/// Cluster y scans strip y. Empty where it is compiled for GPUs without clusters.
template <class Sum, int Warps>
static __global__ void __launch_bounds__(Warps* warp_size)
    scan_in_clusters(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ Shared<Sum, Warps> shared;
    const auto cluster = cooperative_groups::this_cluster();
    const int thread = threadIdx.x;
    const int warp = thread / warp_size;
    const int lane = thread % warp_size;
    const int strip = blockIdx.y;
    const int block = cluster.block_rank();
    const int first = (block * Warps + warp) * warp_rows;

    // All loads are issued before the first value is used, so that their latencies overlap.
    PixelRow<Sum> pixels[warp_rows];
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) pixels[i] = load<Sum>(in, first + i, strip, lane);
    constexpr int bytes_of_block = sizeof(Columns<Sum>);
    const int bytes_from_above = block * bytes_of_block;
    if (warp == 0) common::expect_bytes(&shared.mbarrier, bytes_from_above);
    common::tell_started();

    Group<Sum> rows[warp_rows];
    Group<Sum> of_warp{};
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
        rows[i] = with_left(pixels[i], in.width, strip, lane);
        of_warp.add(rows[i]);
    }
    shared.of_warps[warp][lane] = of_warp;
    __syncthreads();

    cluster.barrier_wait();  // all blocks have started: their shared memory exists
    send_below(shared, block, warp, lane);
    Group<Sum> sum{};  // of the columns, down to the row
#pragma unroll 1
    for (int w = 0; w < warp; ++w) sum.add(shared.of_warps[w][lane]);
    common::wait_for_bytes(&shared.mbarrier);
    if (warp == 0) shared.above[lane] = sum_of_rows<Sum>(shared.of_blocks, block, lane);
    __syncthreads();

    sum.add(shared.above[lane]);
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
        sum.add(rows[i]);
        store(sums, first_column<Sum>(strip, lane), first + i, scan_row(sum, lane));
    }
#endif
}

template <int Warps, class Sum>
static bool scan_by(DeviceView<const Pixel> in, DeviceView<Sum> sums, cudaStream_t stream) {
    using S = Shared<Sum, Warps>;
    const int strips = (in.width + strip_columns<Sum> - 1) / strip_columns<Sum>;
    return in.width <= most_columns && in.height <= S::height &&
           common::launch_clusters(scan_in_clusters<Sum, Warps>, strips, blocks, S::threads, stream,
                                   in, sums);
}

/// False, and no launch, if the image is too large or the GPU has no such clusters.
template <class Sum>
static bool scan(DeviceView<const Pixel> in, DeviceView<Sum> sums, cudaStream_t stream) {
    return scan_by<8>(in, sums, stream) || scan_by<9>(in, sums, stream);
}

}  // namespace integral::small_image
