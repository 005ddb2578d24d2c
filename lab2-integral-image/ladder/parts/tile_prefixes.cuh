#pragma once

// Prefix sums over tiles, for kernels that know the sums of each tile beforehand. What they read
// is small: a row sum for each row of a tile, a column sum for each of its columns.

#include <cstddef>

#include "common/cuda.cuh"
#include "expert/decoupled_look_back/warp.cuh"

namespace integral {

constexpr int scan_warps = 32;   // of a block
constexpr int scan_columns = 4;  // of a thread of scan_rows_above

/// Replaces values[tile * length + i] by its sum over the tiles before, and writes the sum over all
/// tiles to totals[i], unless that is null. A block has 32 values of i, and up to 32 warps that
/// share the tiles.
template <class Sum>
static __global__ void __launch_bounds__(scan_warps* warp_size)
    scan_over_tiles(Sum* values, int tiles, int length, Sum* totals) {
    __shared__ Sum of_warps[scan_warps][warp_size + 1];
    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int warps_of_block = blockDim.y;
    const int i = blockIdx.x * warp_size + lane;
    const int share = (tiles - 1) / warps_of_block + 1;
    const int begin = min(warp * share, tiles);
    const int end = i < length ? min(begin + share, tiles) : begin;
    Sum* const from = values + i;
    Sum sum = 0;
#pragma unroll 8
    for (int tile = begin; tile < end; ++tile) sum += from[std::ptrdiff_t{tile} * length];
    of_warps[warp][lane] = sum;
    __syncthreads();
    for (int column = warp; column < warp_size; column += warps_of_block) {  // lanes are warps
        const Sum of_lane = lane < warps_of_block ? of_warps[lane][column] : 0;
        const Sum scanned = warp_scan(of_lane, lane);
        if (lane < warps_of_block) of_warps[lane][column] = scanned - of_lane;
    }
    __syncthreads();
    Sum before = of_warps[warp][lane];
#pragma unroll 8
    for (int tile = begin; tile < end; ++tile) {
        Sum& value = from[std::ptrdiff_t{tile} * length];
        const Sum own = value;
        value = before;
        before += own;
    }
    if (totals != nullptr && warp == warps_of_block - 1 && i < length) totals[i] = before;
}

/// Scans each row of `columns`, after of_ranks[rank * width + x] of `ranks` ranks has been added to
/// column x. A block per row.
template <class Sum>
static __global__ void __launch_bounds__(scan_warps* warp_size)
    scan_rows_above(Sum* columns, int width, const Sum* of_ranks, int ranks) {
    __shared__ Sum of_warps[2][scan_warps];  // in turn, so that one barrier per step is enough
    const int thread = threadIdx.x;
    const int warp = thread / warp_size;
    const int lane = thread % warp_size;
    Sum* const row = columns + std::ptrdiff_t{1} * blockIdx.x * width;
    constexpr int step = scan_warps * warp_size * scan_columns;
    Sum before = 0;
    for (int begin = 0, turn = 0; begin < width; begin += step, turn ^= 1) {
        const int first = begin + thread * scan_columns;
        Sum sums[scan_columns] = {};
#pragma unroll
        for (int i = 0; i < scan_columns; ++i) {
            const int x = first + i;
            if (x < width) sums[i] = row[x];
            for (int rank = 0; rank < ranks && x < width; ++rank) {
                sums[i] += of_ranks[std::ptrdiff_t{rank} * width + x];
            }
            if (i > 0) sums[i] += sums[i - 1];
        }
        const Sum own = sums[scan_columns - 1];
        const Sum scanned = warp_scan(own, lane);
        if (lane == warp_size - 1) of_warps[turn][warp] = scanned;
        __syncthreads();
        const Sum of_warp = of_warps[turn][lane];
        const Sum before_warp = before + warp_reduce(lane < warp ? of_warp : Sum{0});
        before += warp_reduce(of_warp);
#pragma unroll
        for (int i = 0; i < scan_columns; ++i) {
            if (first + i < width) row[first + i] = before_warp + scanned - own + sums[i];
        }
    }
}

}  // namespace integral
