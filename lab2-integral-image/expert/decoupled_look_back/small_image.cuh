#pragma once

// Latency bounds images of up to 512x288 pixels: of one access to memory, of the exchange of sums,
// and of fetching instructions, which are not in a cache yet either. Here the 16 blocks of a thread
// block cluster exchange their column sums through distributed shared memory. Asynchronous stores
// (st.async) count their bytes in an mbarrier of the receiving block, which saves a barrier of the
// cluster and its fence. A warp holds its two rows in registers. Loops that run once per warp or
// per block are not unrolled: unrolled, they cost more for their instructions than they save.

#include <cooperative_groups.h>

#include <cstring>

#include "common/cluster.cuh"
#include "common/view.hpp"
#include "problem/options.hpp"
#include "warp.cuh"

namespace integral::small_image {

using common::DeviceView;

constexpr int blocks = 16;  // of the cluster: GPUs may refuse more than eight
constexpr int warp_rows = 2;

/// A lane's columns form groups, each one vector access.
constexpr int group_columns = 4;

/// A group of pixels, or of sums.
template <class Value>
struct alignas(16) Group {
    Value values[group_columns];
};

/// A lane's part of a row.
template <class Value, int Groups>
struct Row {
    Group<Value> groups[Groups];
};

/// The part of the image that a block scans: `Warps` warps, each with so many groups per lane.
template <class Sum, int Warps, int Groups>
struct Shared {
    static constexpr int warps = Warps;
    static constexpr int groups = Groups;
    static constexpr int threads = Warps * warp_size;
    static constexpr int width = Groups * warp_size * group_columns;
    static constexpr int height = blocks * Warps * warp_rows;

    // Column sums:
    alignas(16) Sum of_warps[Warps][width];
    alignas(16) Sum of_blocks[blocks - 1][width];  // of the blocks above
    alignas(16) Sum above[width];                  // the sums of these
    unsigned long long mbarrier;
};

/// The columns of one asynchronous store.
template <class Sum>
struct alignas(16) Vector {
    static constexpr int columns = 16 / sizeof(Sum);
    Sum sums[columns];
};

/// First column of a group.
static __device__ int first_column(int group, int lane) {
    return (group * warp_size + lane) * group_columns;
}

template <class Value, class Sum, int Groups>
static __device__ void add(Row<Sum, Groups>& to, const Row<Value, Groups>& row) {
#pragma unroll
    for (int g = 0; g < Groups; ++g) {
#pragma unroll
        for (int k = 0; k < group_columns; ++k) {
            to.groups[g].values[k] += row.groups[g].values[k];
        }
    }
}

template <int Groups, class Sum>
static __device__ Row<Sum, Groups> lane_row(const Sum* row, int lane) {
    Row<Sum, Groups> result;
#pragma unroll
    for (int g = 0; g < Groups; ++g) {
        result.groups[g] = reinterpret_cast<const Group<Sum>*>(row)[g * warp_size + lane];
    }
    return result;
}

template <class Sum, int Groups>
static __device__ void store_lane_row(Sum* row, int lane, const Row<Sum, Groups>& part) {
#pragma unroll
    for (int g = 0; g < Groups; ++g) {
        reinterpret_cast<Group<Sum>*>(row)[g * warp_size + lane] = part.groups[g];
    }
}

/// Loads the rows of a warp; zeros outside the image. Issues all loads before it uses the first
/// value, so that their latencies overlap.
template <int Groups>
static __device__ void load(DeviceView<const Pixel> in, int first, int lane,
                            Row<Pixel, Groups> (&rows)[warp_rows]) {
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
#pragma unroll
        for (int g = 0; g < Groups; ++g) {
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
        for (int g = 0; g < Groups; ++g) {
#pragma unroll
            for (int k = 1; k < group_columns; ++k) {
                if (first_column(g, lane) + k >= in.width) rows[i].groups[g].values[k] = 0;
            }
        }
    }
}

/// Stores the rows of a warp. The last group of a row may be partial: a loop of its own handles it,
/// so that most images do not fetch its instructions.
template <class Sum, int Groups>
static __device__ void store(DeviceView<Sum> sums, int first, int lane,
                             const Row<Sum, Groups> (&rows)[warp_rows]) {
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
        Sum* row = sums.row(first + i);
#pragma unroll
        for (int g = 0; g < Groups; ++g) {
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
        for (int g = 0; g < Groups; ++g) {
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
template <class Sum, int Groups>
static __device__ void scan_row(Row<Sum, Groups>& row, int lane) {
    Sum before = 0;  // the sum of the groups before this one
#pragma unroll
    for (int g = 0; g < Groups; ++g) {
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

/// The sum of the first `rows` rows in the columns of a vector.
template <class Sum, int Rows, int Width>
static __device__ Vector<Sum> sum_of_rows(const Sum (&of_rows)[Rows][Width], int rows, int vector) {
    Vector<Sum> result{};
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
        if (row >= rows) break;
        const auto& part = reinterpret_cast<const Vector<Sum>*>(of_rows[row])[vector];
#pragma unroll
        for (int k = 0; k < Vector<Sum>::columns; ++k) result.sums[k] += part.sums[k];
    }
    return result;
}

/// Stores the column sums of this block in all blocks below it.
template <class Sum, class S>
static __device__ void send_below(S& shared, int block, int thread) {
    constexpr int vectors = S::width / Vector<Sum>::columns;
    constexpr int threads_each = S::threads / vectors;  // they share the blocks below
    static_assert(threads_each > 0);
    if (thread >= vectors * threads_each) return;
    const int vector = thread % vectors;
    const Vector<Sum> sums = sum_of_rows(shared.of_warps, S::warps, vector);
    uint4 value;
    std::memcpy(&value, &sums, sizeof value);
#pragma unroll 1
    for (int below = block + 1 + thread / vectors; below < blocks; below += threads_each) {
        common::store_async(&shared.of_blocks[block][vector * Vector<Sum>::columns],
                            &shared.mbarrier, below, value);
    }
}

/// Adds up what the blocks above have sent.
template <class Sum, class S>
static __device__ void add_above(S& shared, int block, int thread) {
    if (thread >= S::width / Vector<Sum>::columns) return;
    reinterpret_cast<Vector<Sum>*>(shared.above)[thread] =
        sum_of_rows(shared.of_blocks, block, thread);
}

/// One cluster scans an image of at most S::width by S::height. Empty where it is compiled for GPUs
/// without clusters.
template <class Sum, class S>
static __global__ void __launch_bounds__(S::threads)
    scan_in_cluster(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared_memory[];
    auto& shared = *reinterpret_cast<S*>(shared_memory);
    const auto cluster = cooperative_groups::this_cluster();
    const int thread = static_cast<int>(threadIdx.x);
    const int warp = thread / warp_size;
    const int lane = thread % warp_size;
    const int block = static_cast<int>(cluster.block_rank());
    const int first = (block * S::warps + warp) * warp_rows;
    constexpr int row_bytes = S::width * static_cast<int>(sizeof(Sum));
    if (thread < warp_size) common::expect_bytes(&shared.mbarrier, block * row_bytes);
    common::tell_started();

    Row<Pixel, S::groups> pixels[warp_rows];
    load(in, first, lane, pixels);
    Row<Sum, S::groups> of_warp{};
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) add(of_warp, pixels[i]);
    store_lane_row(shared.of_warps[warp], lane, of_warp);
    __syncthreads();

    cluster.barrier_wait();  // all blocks have started: their shared memory exists
    send_below<Sum>(shared, block, thread);
    Row<Sum, S::groups> row{};
#pragma unroll 1
    for (int w = 0; w < warp; ++w) add(row, lane_row<S::groups>(shared.of_warps[w], lane));
    common::wait_for_bytes(&shared.mbarrier);
    add_above<Sum>(shared, block, thread);
    __syncthreads();

    add(row, lane_row<S::groups>(shared.above, lane));
    Row<Sum, S::groups> rows[warp_rows];
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) {
        add(row, pixels[i]);
        rows[i] = row;
        scan_row(rows[i], lane);
    }
    store(sums, first, lane, rows);
#endif
}

template <class S, class Sum>
static bool scan_as(DeviceView<const Pixel> in, DeviceView<Sum> sums, cudaStream_t stream) {
    return in.width <= S::width && in.height <= S::height &&
           common::launch_cluster(scan_in_cluster<Sum, S>, blocks, S::threads, sizeof(S), stream,
                                  in, sums);
}

/// False, and no launch, if the image is too large or the GPU has no such clusters.
template <class Sum>
static bool scan(DeviceView<const Pixel> in, DeviceView<Sum> sums, cudaStream_t stream) {
    return scan_as<Shared<Sum, 8, 2>>(in, sums, stream) ||
           scan_as<Shared<Sum, 9, 4>>(in, sums, stream);
}

}  // namespace integral::small_image
