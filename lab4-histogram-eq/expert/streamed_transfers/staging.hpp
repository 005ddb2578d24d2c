#pragma once

#include <cstdint>
#include <functional>

#include "common/view.hpp"

namespace equalize {

/// An image in chunks of whole rows.
struct Chunks {
    int height;
    int rows;  ///< of each chunk but the last

    int count() const { return (height - 1) / rows + 1; }
    int first_row(int chunk) const { return chunk * rows; }
    int rows_of(int chunk) const {
        return first_row(chunk) + rows < height ? rows : height - first_row(chunk);
    }
};

/// The calling thread calls these functions, for the chunks in order, while other threads copy.
struct ChunkCalls {
    std::function<void(int chunk)> staged;    ///< the chunk is in page-locked memory
    std::function<void()> all_staged;         ///< after `staged` for the last one
    std::function<void(int chunk)> wait_for;  ///< until the chunk's results are in that memory
};

/// Copies the chunks of `in` to `staged`, in page-locked memory, and the results that come there to
/// `out`. All three have the same size. Throws what a call throws.
///
/// One thread copies at a lower rate than a modern bus. Each of several takes the next piece when
/// it has copied one, and they meet at the end only: with a barrier for each chunk, one thread that
/// the system suspends would delay every chunk. Not in the .cu file, because nvcc compiles that
/// without OpenMP.
void copy_through(common::ImageView<std::uint8_t> staged, common::ImageView<const std::uint8_t> in,
                  common::ImageView<std::uint8_t> out, const Chunks& chunks, int threads,
                  const ChunkCalls& calls);

}  // namespace equalize
