// The Simd library's histogram and its look-up. The table between them is ours: the one that the
// library's SimdNormalizeHistogram makes overflows 32 bits from 2^32 / 255 pixels (16.8 million)
// on, and rounds half-way cases up. A call uses one thread, so each thread gets a band of rows.

#include <Simd/SimdLib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;

void peer_simd(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
               const Options& options) {
    const int bands = std::min(in.height, options.threads);
    const auto edge = [&](int i) { return static_cast<int>(std::int64_t{in.height} * i / bands); };
    const auto width = static_cast<std::size_t>(in.width);
    Histogram histogram{};
#pragma omp parallel for schedule(static) num_threads(bands)
    for (int b = 0; b < bands; ++b) {
        Histogram mine{};
        SimdHistogram(in.row(edge(b)), width, static_cast<std::size_t>(edge(b + 1) - edge(b)),
                      static_cast<std::size_t>(in.pitch), mine.data());
#pragma omp critical
        std::transform(mine.begin(), mine.end(), histogram.begin(), histogram.begin(), std::plus{});
    }
    const Table table = table_from_histogram(histogram);
#pragma omp parallel for schedule(static) num_threads(bands)
    for (int b = 0; b < bands; ++b) {
        SimdChangeColors(in.row(edge(b)), static_cast<std::size_t>(in.pitch), width,
                         static_cast<std::size_t>(edge(b + 1) - edge(b)), table.data(),
                         out.row(edge(b)), static_cast<std::size_t>(out.pitch));
    }
}

static const Register registered{{.name = "peer_simd",
                                  .backend = common::Backend::peer,
                                  .idea = "SimdHistogram and SimdChangeColors; the table is ours"},
                                 peer_simd};

}  // namespace equalize
