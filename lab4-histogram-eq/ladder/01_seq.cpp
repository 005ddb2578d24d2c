// The definition as loops: histogram, inclusive scan, table, look-up.
//
// Bound by the latency of the histogram, not by memory bandwidth: where two neighbouring pixels
// have the same level, the second increment waits until the store of the first is forwarded to its
// load. One thread, no SIMD.

#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;

static void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options&) {
    Histogram histogram{};
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++histogram[in.at(x, y)];
    }

    const Count pixels = static_cast<Count>(in.width) * static_cast<Count>(in.height);
    Table table{};
    Count cdf = 0;
    Count cdf_min = 0;  // cdf of the darkest level that occurs
    for (std::size_t level = 0; level < levels; ++level) {
        cdf += histogram[level];
        if (cdf_min == 0) cdf_min = cdf;
        table[level] = table_value(static_cast<int>(level), cdf, cdf_min, pixels);
    }

    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{{.name = "seq",
                                  .backend = common::Backend::seq,
                                  .idea = "the definition as loops: histogram, scan, look-up"},
                                 seq};

}  // namespace equalize
