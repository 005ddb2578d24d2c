#pragma once

// Instructions that the labs use and CUDA C++ has no function for; see common/ptx.cuh.

#include <algorithm>

#include "emulation/device.hpp"

namespace emulation {

/// A lane's part of mma.m16n8k32 with signed bytes times unsigned bytes.
struct MatrixPart {
    int* sums;              ///< 4, of a 16x8 matrix
    const unsigned* left;   ///< 4 words of 4 bytes, of a 16x32 matrix
    const unsigned* right;  ///< 2 words of 4 bytes, of a 32x8 matrix
};

/// sums += left * right, by all lanes of a warp.
void multiply_add_s8_u8(MatrixPart part);

inline unsigned pack_u8(int low, int high, unsigned upper) {
    const auto byte = [](int value) { return static_cast<unsigned>(std::clamp(value, 0, 255)); };
    return upper << 16 | byte(high) << 8 | byte(low);
}

/// movmatrix.m8n8.trans: a lane's two values come from the rows 2 * (lane % 4) and the next.
inline unsigned transpose_8x8(unsigned two) {
    const unsigned column = lane_id() / 4;
    const unsigned source = lane_id() % 4 * 8 + column / 2;
    const unsigned half = column % 2 * 16;
    const unsigned first = shuffle(~0u, two, source) >> half & 0xffff;
    const unsigned second = shuffle(~0u, two, source + 4) >> half;
    return second << 16 | first;
}

/// st.async of 16 bytes.
inline void store_async(void* to, unsigned long long* mbarrier, unsigned rank, uint4 value) {
    *static_cast<uint4*>(shared_memory_of(to, rank)) = value;
    bytes_arrive(mbarrier, rank, sizeof value);
}

}  // namespace emulation
