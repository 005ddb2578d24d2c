#pragma once

#include <cstddef>
#include <cstdint>

#include "common/ptx.cuh"
#include "common/view.hpp"

// Asynchronous copies of a warp's segment to shared memory, several stages ahead of its use. A
// segment is `segment_bytes` of each row, from the top of the warp's part of the image downwards.

namespace convolution::tiles {

using common::DeviceView;

static constexpr int warp = 32;
static constexpr int most_threads = 128;  // of a block
static constexpr int tile_side = 4;       // of an output tile, in pixels
static constexpr int tiles = 8;           // of a product: one in each of its columns
static constexpr int products =
    3;  // of a segment: the channels, or three times as many gray pixels
static constexpr int segment_bytes = tile_side * tiles * products;
static constexpr int halo = 2;  // pixels of a window around its tile

// A stage is `tile_side` rows of the segment and its halo in shared memory.
static constexpr int chunk = 16;         // bytes of a lane's copy
static constexpr int stage_bytes = 128;  // of a row
static constexpr int stage_pitch = 160;  // no bank conflicts between the rows of a window
static constexpr int stages_ahead = 3;
static constexpr int stages = stages_ahead + 1;
static_assert(chunk == 16 && tile_side * stage_bytes == warp * chunk && chunk >= halo * 3 &&
              halo == tile_side / 2);

/// Shared memory of a warp.
struct alignas(16) Shared {
    std::uint8_t rows[stages][tile_side][stage_pitch];
    std::uint8_t result[tile_side][segment_bytes];
};

/// A lane's share of the copies: a chunk of one row of each stage.
class AsyncCopy {
  public:
    /// The segment begins at byte `begin` of the rows; its first window begins at row `top`.
    __device__ AsyncCopy(DeviceView<const std::uint8_t> in, std::ptrdiff_t begin, int top, int lane)
        : in_(in), row_(lane / chunks), at_(lane % chunks * chunk), y_(top + row_) {
        const std::ptrdiff_t x = begin - chunk + at_;
        const std::ptrdiff_t left = in.row_length() - x;
        count_ = x < 0 || left < 0 ? 0 : left < chunk ? left : chunk;
        next_ = in.data + y_ * in.pitch + x;
    }

    /// Starts the copy of the next stage, with zeros outside the image.
    __device__ void copy(std::uint8_t (&stage)[tile_side][stage_pitch]) {
        const int count = 0 <= y_ && y_ < in_.height ? count_ : 0;
        common::copy_16_async(&stage[row_][at_], count > 0 ? next_ : in_.data, count);
        y_ += tile_side;
        next_ += tile_side * in_.pitch;
    }

  private:
    static constexpr int chunks = stage_bytes / chunk;
    DeviceView<const std::uint8_t> in_;
    int row_, at_;
    int y_;
    int count_;  ///< bytes of the chunk that are inside the image
    const std::uint8_t* next_;
};

}  // namespace convolution::tiles
