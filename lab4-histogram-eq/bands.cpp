#include "bands.hpp"

#include <memory>
#include <numeric>

#include "common/instruction_sets.hpp"
#include "ladder/parts/look_up_row.hpp"
#include "ladder/parts/word_histograms.hpp"
#include "problem/table.hpp"

namespace equalize {
namespace {

/// As table_from_histogram, with counts of 64 bits.
Table table_of(const std::vector<std::uint64_t>& counts) {
    const std::uint64_t pixels = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    Table table{};
    std::uint64_t cdf = 0;
    std::uint64_t cdf_min = 0;
    for (std::size_t level = 0; level < levels; ++level) {
        cdf += counts[level];
        if (cdf_min == 0) cdf_min = cdf;
        table[level] = table_value(static_cast<int>(level), cdf, cdf_min, pixels);
    }
    return table;
}

LookUp* best_look_up(common::InstructionSet at_most) {
#if defined(__x86_64__)
    if (common::best_instruction_set(at_most) >= common::InstructionSet::avx2) return look_up_avx2;
#endif
    (void)at_most;
    return look_up;
}

}  // namespace

harness::BandWork band_work(const Options& options) {
    harness::BandWork work;
    work.gray_only = true;
    work.own_name = "two_passes";
    work.totals.resize(levels);
    work.measure = [threads = options.threads](const cv::Mat& band,
                                               std::vector<std::uint64_t>& totals) {
        const Histogram counts =
            histogram_by_words(harness::view_of<const std::uint8_t>(band), threads);
        for (std::size_t level = 0; level < levels; ++level) totals[level] += counts[level];
    };
    const auto table = std::make_shared<Table>();
    work.prepare = [table](const std::vector<std::uint64_t>& totals) { *table = table_of(totals); };
    work.compute = [table, options, look_up_row = best_look_up(options.limits.instruction_set)](
                       const cv::Mat& in, cv::Mat& out) {
#pragma omp parallel for num_threads(options.threads) schedule(static)
        for (int y = 0; y < in.rows; ++y) {
            look_up_row(in.ptr(y), out.ptr(y), in.cols, *table, false);
        }
    };
    return work;
}

}  // namespace equalize
