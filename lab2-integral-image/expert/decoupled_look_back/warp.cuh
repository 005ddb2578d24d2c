#pragma once

// Scan and reduction over the 32 lanes of a warp by shuffles. All lanes call them.

#include "common/cuda.cuh"

namespace integral {

constexpr int warp_size = 32;
constexpr unsigned all_lanes = 0xffffffffu;

/// Inclusive scan: the sum of `value` over the lanes up to this one.
template <class Sum>
static __device__ Sum warp_scan(Sum value, int lane) {
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
        const Sum left = __shfl_up_sync(all_lanes, value, distance);
        if (lane >= distance) value += left;
    }
    return value;
}

template <class Sum>
static __device__ Sum warp_reduce(Sum value) {
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(all_lanes, value, distance);
    }
    return value;
}

/// Reduces `Count` values; lanes i * 32 / Count and following return the i-th. In every step, two
/// lanes split the values: each sends the partial sums of the other's half. This takes 16 shuffles
/// for 16 values instead of 80.
template <int Distance = warp_size / 2, int Count, class Sum>
static __device__ Sum warp_reduce_each(const Sum (&values)[Count], int lane) {
    if constexpr (Distance == 0) {
        return values[0];
    } else if constexpr (Count == 1) {
        const Sum both[] = {values[0] + __shfl_xor_sync(all_lanes, values[0], Distance)};
        return warp_reduce_each<Distance / 2>(both, lane);
    } else {
        const bool upper = (lane & Distance) != 0;
        Sum half[Count / 2];
#pragma unroll
        for (int i = 0; i < Count / 2; ++i) {
            const Sum low = values[i];
            const Sum high = values[i + Count / 2];
            half[i] =
                (upper ? high : low) + __shfl_xor_sync(all_lanes, upper ? low : high, Distance);
        }
        return warp_reduce_each<Distance / 2>(half, lane);
    }
}

}  // namespace integral
