// Wrong: the table truncates; the definition rounds.

#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

static void omp_mine(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                     const Options&) {
    Histogram histogram{};
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++histogram[in.at(x, y)];
    }
    const Count pixels = static_cast<Count>(in.width) * static_cast<Count>(in.height);
    Table table{};
    Count cdf = 0;
    Count cdf_min = 0;
    for (std::size_t level = 0; level < levels; ++level) {
        cdf += histogram[level];
        if (cdf_min == 0) cdf_min = cdf;
        const double above = cdf - cdf_min;
        table[level] = static_cast<std::uint8_t>(
            pixels == cdf_min ? level : static_cast<std::size_t>(above * 255 / (pixels - cdf_min)));
    }
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "truncates"}, omp_mine};

}  // namespace equalize
