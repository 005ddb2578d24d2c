// Outputs of ranks that are wrong only where a halo counts.

#include <string>
#include <vector>

#include "harness/ranks.hpp"
#include "mistakes.hpp"
#include "mutant.hpp"

namespace mistakes {

std::vector<harness::KnownMistake> of_halos(const cv::Mat& image, const Mask& mask, int ranks) {
    const int k = mask.radius();
    const std::vector<int> first = harness::first_rows_of_ranks(image.rows, k, ranks);
    /// Rows that need a halo from above (bit 0) or from below (bit 1).
    std::vector<int> needs(static_cast<std::size_t>(image.rows));
    for (std::size_t rank = 0; rank + 1 < first.size(); ++rank) {
        const int begin = first[rank];
        const int end = first[rank + 1];
        for (int y = begin; y < end; ++y) {
            if (y < begin + k && rank > 0) needs[static_cast<std::size_t>(y)] |= 1;
            if (y >= end - k && rank + 2 < first.size()) needs[static_cast<std::size_t>(y)] |= 2;
        }
    }
    /// The halos that wrong rows need: those of `needs`; 0 if all rows are right, 4 if others are
    /// wrong, too.
    const auto wrong = [needs, expected = output_of(image, mask, Rules{})](const cv::Mat& out) {
        int all = 0;
        for (int y = 0; y < out.rows; ++y) {
            if (cv::norm(out.row(y), expected.row(y), cv::NORM_INF) == 0) continue;
            const int need = needs[static_cast<std::size_t>(y)];
            all |= need == 0 ? 4 : need == 3 ? 0 : need;
        }
        return all;
    };
    const auto named = [&](const std::string& name, int halos) {
        return harness::KnownMistake{name,
                                     [wrong, halos](const cv::Mat& out) {
                                         const int found = wrong(out);
                                         return found == 0 || found == halos;
                                     },
                                     "docs/mpi.md, \"What a variant sees\""};
    };
    return {
        named("the first rows of a rank are wrong: its halo from above is missing, or is not the "
              "last rows of the rank above",
              1),
        named("the last rows of a rank are wrong: its halo from below is missing, or is not the "
              "first rows of the rank below",
              2),
        named("the first and the last rows of a rank are wrong: halos are missing, or are not "
              "those of the neighbours",
              3)};
}

}  // namespace mistakes
