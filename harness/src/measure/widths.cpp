#include "harness/widths.hpp"

#include <algorithm>

namespace harness {

std::vector<int> widths_to_try(bool full) {
    if (!full) return {1024, 1056, 4095, 4096, 4097};
    std::vector<int> widths;
    for (int width = 1024; width <= 8192; width += 32) widths.push_back(width);
    for (int width = 4096 - 64; width <= 4096 + 64; ++width) widths.push_back(width);
    std::ranges::sort(widths);
    widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
    return widths;
}

std::vector<Problem> for_widths(
    BenchRequest request,
    const std::function<Problem(const BenchRequest&, int width, int height)>& problem_of) {
    std::erase_if(request.variants,
                  [](const VariantInfo& info) { return info.name != "omp_best"; });
    if (request.variants.empty()) return {};
    const int height = request.full ? 1024 : 64;  // so that no output stays in a core's caches
    std::vector<Problem> problems;
    std::vector<int> widths = widths_to_try(request.full);
    for (int pass = 0; pass < (request.full ? 2 : 1); ++pass) {
        for (const int width : widths) problems.push_back(problem_of(request, width, height));
        std::ranges::reverse(widths);  // so that a drift of the machine does not look like a slope
    }
    return problems;
}

}  // namespace harness
