#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "problem/table.hpp"

namespace equalize {

/// Counts pairs of neighbours, first + 256 * second, with one addition per pair. The neighbours of
/// most pictures are alike, so that few of the 65,536 counters are used, and these stay in the L1
/// cache. A picture of noise uses all of them, and needs an L2 cache of 1 MB.
class PairHistograms {
  public:
    /// Pixels of a thread from which on pairs are faster. Half as many repay clearing and adding up
    /// the counters, and gain nothing.
    static constexpr std::int64_t worth = 1 << 19;

    PairHistograms() : counts_(std::make_unique<Count[]>(word_pairs * distance)) {}

    /// Counts a row of `width` pixels.
    void count(const std::uint8_t* pixels, int width) {
        int x = 0;
        for (; x <= width - 2 * word_pairs; x += 2 * word_pairs) {
            std::uint64_t four;
            std::memcpy(&four, pixels + x, sizeof four);
            for (int i = 0; i < word_pairs; ++i) {
                ++counts_[i * distance + static_cast<int>(four >> (16 * i) & 0xffff)];
            }
        }
        for (; x < width; ++x) ++rest_[pixels[x]];
    }

    /// Adds the number of pixels of each level: in a pair, both pixels count.
    void add_to(Histogram& sums) const {
        for (std::size_t second = 0; second < levels; ++second) {
            Count row = 0;
            for (std::size_t first = 0; first < levels; ++first) {
                const Count* counts = counts_.get() + second * levels + first;
                Count pairs = 0;
                for (int i = 0; i < word_pairs; ++i) pairs += counts[i * distance];
                sums[first] += pairs;
                row += pairs;
            }
            sums[second] += row + rest_[second];
        }
    }

  private:
    static constexpr int word_pairs = 4;  // of one 64-bit load; each has its own counters, so that
                                          // successive additions go to different addresses
    static constexpr int distance = levels * levels + 64;  // no multiple of 4096 (4K aliasing)

    std::unique_ptr<Count[]> counts_;
    Histogram rest_{};  // pixels at the ends of rows
};

}  // namespace equalize
