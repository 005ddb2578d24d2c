// Halide: functions that halide/kernels.cpp compiles ahead of time, for the CPU of the build. They
// have 16-bit sums of masks 3x3 and 5x5 whose weights are integers over a divisor: a column times a
// row where the mask is such a product, all weights elsewhere. Border and truncation are those of
// the definition. Threads are Halide's own.

#include <HalideBuffer.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/error.hpp"
#include "common/view.hpp"
#include "convolve_direct3.h"
#include "convolve_direct5.h"
#include "convolve_separable3.h"
#include "convolve_separable5.h"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

/// The mask as integers over a divisor from 2 to 256.
struct Fractions {
    int divisor = 1;
    std::vector<int> numerators;
    std::int64_t most = 0;   ///< of a sum over 8-bit pixels
    std::int64_t least = 0;  ///< the same

    explicit Fractions(const Mask& mask) {
        const auto count = static_cast<std::size_t>(mask.size * mask.size);
        const auto numerator = [&](float weight) {
            return std::nearbyint(weight * static_cast<float>(divisor));
        };
        const auto is_fraction = [&](float weight) {
            return numerator(weight) / static_cast<float>(divisor) == weight;
        };
        do {
            if (++divisor > 256) {
                throw common::Unsupported("peer_halide: takes integers over a divisor up to 256");
            }
        } while (!std::all_of(mask.weights, mask.weights + count, is_fraction));
        for (std::size_t i = 0; i < count; ++i) {
            numerators.push_back(static_cast<int>(numerator(mask.weights[i])));
            (numerators.back() > 0 ? most : least) += 255 * std::int64_t{numerators.back()};
        }
    }
};

/// The column and, behind it, the row whose product the mask is; empty if there are none.
static std::vector<std::uint16_t> column_and_row(const Fractions& mask, int n) {
    const auto& all = mask.numerators;
    const auto at = [&](int i, int j) { return all[static_cast<std::size_t>(i * n + j)]; };
    int common_factor = 0;
    for (int j = 0; j < n; ++j) common_factor = std::gcd(common_factor, at(n / 2, j));
    if (common_factor == 0 || at(n / 2, n / 2) == 0 || mask.least < 0) return {};
    std::vector<std::uint16_t> result;
    for (int i = 0; i < n; ++i) {
        result.push_back(
            static_cast<std::uint16_t>(at(i, n / 2) * common_factor / at(n / 2, n / 2)));
    }
    for (int j = 0; j < n; ++j) {
        result.push_back(static_cast<std::uint16_t>(at(n / 2, j) / common_factor));
    }
    for (int i = 0; i < n * n; ++i) {
        const auto column = static_cast<std::size_t>(i / n);
        const auto row = static_cast<std::size_t>(n + i % n);
        if (result[column] * result[row] != all[static_cast<std::size_t>(i)]) return {};
    }
    return result;
}

/// A division by `divisor` as sum * factor / 2^(16 + shift), which is exact for sums up to `most`.
struct Reciprocal {
    std::uint16_t factor = 0;
    std::uint16_t shift = 0;

    Reciprocal(int divisor, std::int64_t most) {
        for (; factor == 0; ++shift) {
            const std::int64_t power = std::int64_t{1} << (16 + shift);
            const std::int64_t nearest = (power + divisor - 1) / divisor;
            if (nearest > 65535) throw common::Unsupported("peer_halide: no exact reciprocal");
            if (most * (nearest * divisor - power) < power) {
                factor = static_cast<std::uint16_t>(nearest);
            }
        }
        --shift;
    }
};

void peer_halide(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                 const Options& options) {
    const int n = options.mask.size;
    if (n != 3 && n != 5) throw common::Unsupported("peer_halide: takes masks of 3x3 and 5x5");
    const Fractions mask(options.mask);
    const std::vector<std::uint16_t> factors = column_and_row(mask, n);
    const bool separable = !factors.empty() && mask.most < 65536;
    if (!separable && (mask.most > INT16_MAX || mask.least < INT16_MIN)) {
        throw common::Unsupported("peer_halide: the sums need more than 16 bits");
    }
    const std::vector<std::int16_t> weights(mask.numerators.begin(), mask.numerators.end());
    const Reciprocal reciprocal(mask.divisor, mask.most);

    using Plane = Halide::Runtime::Buffer<const std::uint8_t, 2>;
    const auto plane = [](auto image) {
        const halide_dimension_t shape[] = {{0, static_cast<int>(image.row_length()), 1},
                                            {0, image.height, static_cast<int>(image.pitch)}};
        return Plane(image.data, 2, shape);
    };
    Plane source = plane(in);
    Plane target = plane(out);
    std::vector<const void*> arguments{source.raw_buffer(), &in.channels};
    if (separable) {
        for (const std::uint16_t& each : factors) arguments.push_back(&each);
    } else {
        for (const std::int16_t& each : weights) arguments.push_back(&each);
    }
    arguments.insert(arguments.end(), {&reciprocal.factor, &reciprocal.shift, target.raw_buffer()});
    const auto function = n == 3 ? (separable ? convolve_separable3_argv : convolve_direct3_argv)
                                 : (separable ? convolve_separable5_argv : convolve_direct5_argv);
    halide_set_num_threads(options.threads);
    if (function(const_cast<void**>(arguments.data())) != 0) throw common::Failed("Halide failed");
}

static const Register registered{
    {.name = "peer_halide",
     .backend = common::Backend::peer,
     .idea = "Halide, compiled ahead of time: 16-bit sums of integer masks, 3x3 and 5x5"},
    peer_halide};

}  // namespace convolution
