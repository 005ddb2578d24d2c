#pragma once

#include <algorithm>
#include <cstdint>

#include "problem/pixels.cuh"

// Sixteen pixels of a row as one 128-bit vector, and a grid-stride loop over the vectors of an
// image.

namespace equalize {

/// Pixels of a vector. The last vector of a row may have fewer.
constexpr int vector_pixels = 16;

inline std::int64_t vectors_of(common::DeviceView<const std::uint8_t> image) {
    return std::int64_t{(image.width - 1) / vector_pixels + 1} * image.height;
}

/// Blocks of a grid-stride loop over vectors: as many as are resident at the same time, or fewer if
/// these have a thread per vector.
inline unsigned vector_blocks(common::DeviceView<const std::uint8_t> in, common::Block block) {
    const std::int64_t needed = (vectors_of(in) - 1) / block.threads() + 1;
    return std::min<std::int64_t>(resident_blocks(block), needed);
}

/// The place of a vector in the image.
struct Vector {
    int x, y;
    int pixels;  ///< fewer at the end of a row; 0 beyond the last row
    int index;   ///< how many vectors of its thread come before
    __device__ bool full() const { return pixels == vector_pixels; }
};

/// The grid-stride loop of a thread, without a division per vector.
class GridStride {
  public:
    __device__ GridStride(int width, int height) : width_(width), height_(height) {
        const unsigned threads = blockDim.x * blockDim.y;
        const unsigned first = blockIdx.x * threads + thread_in_block();
        const unsigned pixels_in_row = width;
        in_row_ = (pixels_in_row - 1) / vector_pixels + 1;
        x_ = first % in_row_;
        y_ = first / in_row_;
        step_x_ = gridDim.x * threads % in_row_;
        step_y_ = gridDim.x * threads / in_row_;
    }

    __device__ bool at_end() const { return y_ >= height_; }

    __device__ Vector next() {
        const int vector = x_;
        const int x = vector * vector_pixels;
        const int pixels = at_end() ? 0 : min(width_ - x, vector_pixels);
        const Vector here{x, static_cast<int>(y_), pixels, index_++};
        x_ += step_x_;
        y_ += step_y_;
        if (x_ >= in_row_) {
            x_ -= in_row_;
            ++y_;
        }
        return here;
    }

  private:
    int width_;
    unsigned height_, in_row_;
    unsigned x_, y_, step_x_, step_y_;
    int index_ = 0;
};

/// Calls use(vector, load(vector)) for each vector of this thread. Two loads are in flight before
/// the first result is needed.
template <class Load, class Use>
static __device__ void for_each_vector(int width, int height, Load load, Use use) {
    constexpr int in_flight = 2;
    GridStride vectors(width, height);
    while (!vectors.at_end()) {
        Vector here[in_flight];
        uint4 pixels[in_flight];
#pragma unroll
        for (int i = 0; i < in_flight; ++i) {
            here[i] = vectors.next();
            if (here[i].pixels > 0) pixels[i] = load(here[i]);
        }
#pragma unroll
        for (int i = 0; i < in_flight; ++i) {
            if (here[i].pixels > 0) use(here[i], pixels[i]);
        }
    }
}

/// Reads padding at the end of a row: rows are padded to whole vectors.
static __device__ uint4 load(common::DeviceView<const std::uint8_t> in, const Vector& here) {
    return *reinterpret_cast<const uint4*>(in.row(here.y) + here.x);
}

/// Stores the first `count` < 16 pixels of a vector.
static __device__ void store_first(std::uint8_t* to, uint4 pixels, int count) {
    if (count & 8) {
        *reinterpret_cast<uint2*>(to) = {pixels.x, pixels.y};
        to += 8;
        pixels.x = pixels.z;
        pixels.y = pixels.w;
    }
    if (count & 4) {
        *reinterpret_cast<unsigned*>(to) = pixels.x;
        to += 4;
        pixels.x = pixels.y;
    }
    if (count & 2) {
        *reinterpret_cast<std::uint16_t*>(to) = pixels.x;
        to += 2;
        pixels.x >>= 16;
    }
    if (count & 1) *to = pixels.x;
}

/// Stores the pixels of a vector.
static __device__ void store(common::DeviceView<std::uint8_t> out, const Vector& here,
                             const uint4& pixels) {
    std::uint8_t* to = out.row(here.y) + here.x;
    if (here.full()) {
        *reinterpret_cast<uint4*>(to) = pixels;
    } else {
        store_first(to, pixels, here.pixels);
    }
}

}  // namespace equalize
