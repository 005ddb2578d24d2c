// The loops of seq. The mask is copied, so that the compiler keeps it in registers. The other
// threads stay awake until the work is done.

#include <algorithm>
#include <atomic>

#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

template <int Size>
static void row_of(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Mask& mask,
                   int y) {
    constexpr int k = Size / 2;
    float weights[Size * Size];
    std::copy_n(mask.weights, Size * Size, weights);
    const int channels = in.channels;
    for (int x = 0; x < in.width; ++x) {
        for (int c = 0; c < channels; ++c) {
            float sum = 0;
            if (x >= k && x < in.width - k && y >= k && y < in.height - k) {
                for (int i = 0; i < Size; ++i) {
                    const std::uint8_t* from = in.row(y + i - k) + (x - k) * channels + c;
                    for (int j = 0; j < Size; ++j) {
                        sum += static_cast<float>(from[j * channels]) * weights[i * Size + j];
                    }
                }
            } else {
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
            }
            out.at(x, y, c) = to_pixel(sum);
        }
    }
}

static void any_row(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Mask& mask,
                    int y) {
    if (mask.size == 3) return row_of<3>(in, out, mask, y);
    if (mask.size == 5) return row_of<5>(in, out, mask, y);
    const int k = mask.radius();
    for (int x = 0; x < in.width; ++x) {
        for (int c = 0; c < in.channels; ++c) {
            float sum = 0;
            for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                    sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                }
            }
            out.at(x, y, c) = to_pixel(sum);
        }
    }
}

void omp_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const int threads = std::max(options.threads, 2);
    std::atomic<int> done = 0;
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int part = 0; part < threads; ++part) {
        if (part == 0) {
            for (int y = 0; y < in.height; ++y) {
                any_row(in, out, options.mask, y);
                done = y + 1;
            }
        } else if (options.threads == 1) {  // nobody to wait for: look at the result once more
            for (int y = 0; y < in.height; ++y) any_row(in, out, options.mask, y);
        } else {
            while (done < in.height) {
            }
        }
    }
}

static const Register registered{{.name = "omp_rows",
                                  .backend = common::Backend::omp,
                                  .idea = "the loops of seq, threads stay awake"},
                                 omp_rows};

}  // namespace convolution
