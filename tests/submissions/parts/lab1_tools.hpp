// Parts of submissions to lab 1. unpack.py puts this text in the place of an #include: a submission
// is one file.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "common/error.hpp"
#include "problem/variant.hpp"

namespace convolution {

using Input = common::ImageView<const std::uint8_t>;
using Output = common::ImageView<std::uint8_t>;

static const common::VariantInfo mine_info{
    .name = "omp_mine", .backend = common::Backend::omp, .idea = "a submission"};

/// One value of the output, as seq computes it.
[[maybe_unused]] static std::uint8_t honest_value(Input in, const Mask& mask, int x, int y, int c) {
    const int k = mask.radius();
    float sum = 0;
    for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
        for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
            sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
        }
    }
    return to_pixel(sum);
}

/// Rows [begin, end).
[[maybe_unused]] static void honest_rows(Input in, Output out, const Mask& mask, int begin,
                                         int end) {
    for (int y = begin; y < end; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) out.at(x, y, c) = honest_value(in, mask, x, y, c);
        }
    }
}

[[maybe_unused]] static void honest(Input in, Output out, const Options& options) {
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) honest_rows(in, out, options.mask, y, y + 1);
}

/// Right only if an attack succeeded: its verdict then says so.
[[maybe_unused]] static void right_if(bool succeeded, Input in, Output out,
                                      const Options& options) {
    if (!succeeded) throw std::runtime_error("the sandbox held");
    honest(in, out, options);
}

}  // namespace convolution
