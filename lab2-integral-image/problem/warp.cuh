#pragma once

// Sums over the 32 lanes of a warp, all of which have to take part.

#include "common/cuda.cuh"

namespace integral {

constexpr int warp_size = 32;
constexpr unsigned all_lanes = 0xffffffffu;

/// The sum of `value` over the lanes up to this one.
template <class Sum>
static __device__ Sum warp_scan(Sum value, int lane) {
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
        const Sum left = __shfl_up_sync(all_lanes, value, static_cast<unsigned>(distance));
        if (lane >= distance) value += left;
    }
    return value;
}

template <class Sum>
static __device__ Sum warp_sum(Sum value) {
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(all_lanes, value, distance);
    }
    return value;
}

/// Each of `Count` values added up over the warp; the i-th is returned by lanes i * 32 / Count and
/// following. In every step, two lanes divide the values between them, and each hands the other
/// what it has of the other's: 16 shuffles for 16 values instead of 80.
template <int Distance = warp_size / 2, int Count, class Sum>
static __device__ Sum warp_sums(const Sum (&values)[Count], int lane) {
    if constexpr (Distance == 0) {
        return values[0];
    } else if constexpr (Count == 1) {
        const Sum both[] = {values[0] + __shfl_xor_sync(all_lanes, values[0], Distance)};
        return warp_sums<Distance / 2>(both, lane);
    } else {
        const bool upper = (lane & Distance) != 0;
        Sum mine[Count / 2];
#pragma unroll
        for (int i = 0; i < Count / 2; ++i) {
            const Sum low = values[i];
            const Sum high = values[i + Count / 2];
            mine[i] =
                (upper ? high : low) + __shfl_xor_sync(all_lanes, upper ? low : high, Distance);
        }
        return warp_sums<Distance / 2>(mine, lane);
    }
}

}  // namespace integral
