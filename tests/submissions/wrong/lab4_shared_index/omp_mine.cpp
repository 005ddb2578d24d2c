// A race: the threads of the second loop share the index of the column.

#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;

void omp_mine(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    Histogram histogram{};
    Count* counts = histogram.data();
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in) \
    reduction(+ : counts[:levels])
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++counts[in.at(x, y)];
    }
    const Table table = table_from_histogram(histogram);
    int x;
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out, table)
    for (int y = 0; y < in.height; ++y) {
        for (x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "a private histogram per thread"},
    omp_mine};

}  // namespace equalize
