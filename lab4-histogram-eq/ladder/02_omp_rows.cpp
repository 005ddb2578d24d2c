// `seq` is bound by one core. Here threads share the rows. In one shared histogram they would race
// for the counts, so `reduction` gives each thread a private histogram and adds them up at the end
// (privatization). One thread makes the table, which takes 256 steps.
//
// Bound by the same latency per pixel as `seq`, in each thread. The reduction costs 256 additions
// per thread, which only small images show.

#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;

void omp_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    Histogram histogram{};
    Count* counts = histogram.data();
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in) \
    reduction(+ : counts[:levels])
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++counts[in.at(x, y)];
    }
    const Table table = table_from_histogram(histogram);
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out, table)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_rows",
     .backend = common::Backend::omp,
     .idea = "threads share the rows; a private histogram per thread, reduction"},
    omp_rows};

}  // namespace equalize
