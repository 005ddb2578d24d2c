#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/view.hpp"
#include "problem/table.hpp"

namespace equalize {

inline constexpr int word_pixels = 8;  ///< pixels of one 64-bit load

/// Pixels from `first` to the next address that is a multiple of `alignment`.
inline int up_to_aligned(const std::uint8_t* first, int alignment) {
    return static_cast<int>(-reinterpret_cast<std::uintptr_t>(first) &
                            static_cast<std::uintptr_t>(alignment - 1));
}

/// One histogram per pixel of a word. Their distance is not a power of two: a load whose address
/// differs by a multiple of 4096 from that of a store before it waits for this store (4K aliasing).
struct WordHistograms {
    static constexpr int distance = levels + 8;
    Count counts[word_pixels * distance] = {};

    void count(const std::uint8_t* pixels, int width) {
        const int head = std::min(up_to_aligned(pixels, word_pixels), width);
        int x = 0;
        for (; x < head; ++x) ++counts[x * distance + pixels[x]];
        for (; x <= width - word_pixels; x += word_pixels) {
            std::uint64_t eight;
            std::memcpy(&eight, pixels + x, sizeof eight);
            for (int i = 0; i < word_pixels; ++i) {
                ++counts[i * distance + static_cast<int>(eight >> (8 * i) & 0xff)];
            }
        }
        for (; x < width; ++x) ++counts[x % word_pixels * distance + pixels[x]];
    }

    void add_to(Histogram& sums) const {
        for (int i = 0; i < word_pixels; ++i) {
            for (std::size_t level = 0; level < levels; ++level) {
                sums[level] += counts[i * distance + static_cast<int>(level)];
            }
        }
    }
};

/// The histogram of an image, counted by `threads` threads. Threads share the rows.
inline Histogram histogram_by_words(common::ImageView<const std::uint8_t> in, int threads) {
    Histogram sums{};
#pragma omp parallel num_threads(threads) firstprivate(in)
    {
        WordHistograms mine;
#pragma omp for schedule(static) nowait
        for (int y = 0; y < in.height; ++y) mine.count(in.row(y), in.width);
#pragma omp critical(equalize_histogram_by_words)
        mine.add_to(sums);
    }
    return sums;
}

}  // namespace equalize
