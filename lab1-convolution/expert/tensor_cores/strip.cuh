#pragma once

#include <cstddef>
#include <cstdint>

#include "async_rows.cuh"
#include "common/ptx.cuh"
#include "digits.cuh"

// The multiply-accumulates of a warp: an output row of its strip from as many rows as the mask has.

namespace convolution {

static constexpr int windows = 8;                                // of a product: its columns
static constexpr int products = (runs + windows - 1) / windows;  // of a strip
static constexpr int product_bytes = windows * run_bytes;

/// A lane's fragments of a row: of each product, eight bytes of window `lane / 4`.
struct Pixels {
    uint2 bytes[products];
};

static __device__ Pixels windows_of(const std::uint8_t (&row)[row_bytes], int lane) {
    Pixels pixels;
#pragma unroll
    for (int product = 0; product < products; ++product) {
        const int run = min(product * windows + lane / 4, runs - 1);
        const std::uint8_t* window = row + strip_halo - window_halo + run * run_bytes;
        pixels.bytes[product] = *reinterpret_cast<const uint2*>(window + lane % 4 * 8);
    }
    return pixels;
}

/// The weights of a mask with `Rows` rows. `Sharpens`: the higher digits of all weights but those
/// of the middle row are zero, as in a mask that sharpens.
template <int Rows, Scaling How, int Digits, bool Sharpens>
struct Weights {
    static constexpr int digits = Digits;
    LaneWeights rows[Digits][Rows];
    Scale scale;

    __device__ Weights(const LaneWeights* matrices, Scale of_all, int lane) : scale(of_all) {
#pragma unroll
        for (int i = 0; i < Digits * Rows; ++i) {
            rows[i / Rows][i % Rows] = matrices[i * warp + lane];
        }
    }

    /// Four bytes of output: of run `lane / 4`, the word `lane % 4`. Row i of the mask meets the
    /// pixels of row `first + i`, modulo the number of rows.
    __device__ unsigned output(const Pixels (&pixels)[Rows], int first, int product) const {
        int sums[Digits][4];  // bytes lane / 4 * 2 and the next, of runs lane % 4 * 2 and the next
#pragma unroll
        for (int d = 0; d < Digits; ++d) {
            for (int& sum : sums[d]) sum = 0;
#pragma unroll
            for (int i = 0; i < Rows; ++i) {
                if (Sharpens && d > 0 && i != Rows / 2) continue;
                const uint2 bytes = pixels[(first + i) % Rows].bytes[product];
                common::multiply_add_s8_u8(sums[d], rows[d][i].words, {bytes.x, bytes.y});
            }
        }
        return common::transpose_8x8(pixels_of<How>(sums, scale));
    }
};

/// The words of a strip's output that a lane writes: they are neighbouring across the warp.
class StripOutput {
  public:
    __device__ StripOutput(DeviceView<std::uint8_t> out, std::ptrdiff_t begin, int lane)
        : out_(out), first_(begin + lane * word_bytes) {
        const std::ptrdiff_t left = out.row_length() - begin;
        const int bytes = left < strip_bytes ? left : strip_bytes;
        count_ = bytes - lane * word_bytes;
        const int in_product = count_ % product_bytes;
        tail_ = 0 < in_product && in_product < word_bytes ? in_product : 0;
    }

    template <class Weights, int Rows>
    __device__ void store(int y, const Weights& weights, const Pixels (&pixels)[Rows],
                          int first) const {
        std::uint8_t* to = out_.row(y) + first_;
        unsigned last = 0;
#pragma unroll
        for (int product = 0; product < products; ++product) {
            const unsigned word = weights.output(pixels, first, product);
            const int at = product * product_bytes;
            if (count_ >= at + word_bytes) {
                auto* whole = reinterpret_cast<unsigned*>(to + at);
                Weights::digits == 1 ? void(*whole = word) : __stcs(whole, word);
            }
            if (count_ > at) last = word;
        }
        if (tail_ == 0) return;
        to += count_ - tail_;
#pragma unroll 1
        for (int i = 0; i < tail_; ++i) to[i] = last >> 8 * i;
    }

  private:
    static constexpr int word_bytes = 4;
    DeviceView<std::uint8_t> out_;
    std::ptrdiff_t first_;
    int count_;  ///< bytes of the strip from the lane's first word on
    int tail_;   ///< bytes of the lane's last word, if the row ends inside it
};

}  // namespace convolution
