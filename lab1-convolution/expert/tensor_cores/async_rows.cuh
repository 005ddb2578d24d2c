#pragma once

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

#include "common/view.hpp"
#include "matrices.hpp"

// Asynchronous copies of a warp's strip to shared memory, row by row, several rows ahead of use.

namespace convolution {

using common::DeviceView;

static constexpr int warp = 32;
static constexpr int chunk = 16;                // bytes of a lane's copy
static constexpr int row_bytes = warp * chunk;  // a row of a strip, with its halo
// A halo of 32 bytes, more than masks need, aligns copies to the sectors of the L2 cache. One of 16
// bytes is slower.
static constexpr int strip_halo = 32;
static constexpr int strip_bytes = row_bytes - 2 * strip_halo;  // of output
static constexpr int runs = strip_bytes / run_bytes;
static_assert(strip_halo >= window_halo);

/// Row slots in the shared memory of a warp. The loop over the rows is unrolled as many times, so
/// that slots are constants.
template <int Rows>
static constexpr int slots = Rows == 3 ? 6 : 5;
template <int Rows>
static constexpr int rows_ahead = slots<Rows> - 1;

template <int Rows>
struct alignas(chunk) Ring {
    std::uint8_t rows[slots<Rows>][row_bytes];
};

/// A lane's share of the copies: a chunk of each row.
class AsyncRows {
  public:
    /// The output begins at byte `begin` of the rows; rows `top` to `bottom` are needed.
    __device__ AsyncRows(DeviceView<const std::uint8_t> in, std::ptrdiff_t begin, int top,
                         int bottom, int lane)
        : pitch_(in.pitch), y_(top), end_(min(bottom, in.height)), at_(lane * chunk) {
        const std::ptrdiff_t x = begin - strip_halo + at_;
        const std::ptrdiff_t left = in.row_length() - x;
        inside_ = x >= 0 && left > 0;
        count_ = left < chunk ? left : chunk;
        next_ = in.data + y_ * pitch_ + x;
    }

    /// Starts the copy of the next row, with zeros outside the image.
    __device__ void copy(std::uint8_t* slot) {
        if (inside_ && static_cast<unsigned>(y_) < static_cast<unsigned>(end_)) {
            __pipeline_memcpy_async(slot + at_, next_, chunk);
        } else {
            *reinterpret_cast<uint4*>(slot + at_) = uint4{0, 0, 0, 0};
        }
        __pipeline_commit();
        ++y_;
        next_ += pitch_;
    }

    /// Sets the bytes to 0 that a copy has brought from the padding of the row.
    __device__ void clear_padding(std::uint8_t* slot) const {
        if (!inside_ || count_ == chunk) return;
#pragma unroll 1
        for (int i = count_; i < chunk; ++i) slot[at_ + i] = 0;
    }

  private:
    std::ptrdiff_t pitch_;
    int y_, end_;
    int at_;
    bool inside_;
    int count_;  ///< bytes of the chunk that are inside the image
    const std::uint8_t* next_;
};

}  // namespace convolution
