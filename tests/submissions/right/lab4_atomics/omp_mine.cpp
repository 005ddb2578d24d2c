// Right, and slow: one atomic counter per level.

#include <atomic>

#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

static void omp_mine(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                     const Options& options) {
    std::array<std::atomic<Count>, levels> counts{};
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            counts[in.at(x, y)].fetch_add(1, std::memory_order_relaxed);
        }
    }
    Histogram histogram{};
    for (std::size_t level = 0; level < levels; ++level) histogram[level] = counts[level];
    const Table table = table_from_histogram(histogram);
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "atomic counters"}, omp_mine};

}  // namespace equalize
