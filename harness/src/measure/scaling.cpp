#include "harness/scaling.hpp"

#include <algorithm>

namespace harness {
namespace {

using Lines = std::vector<std::vector<std::string>>;

/// Marks the rows of the problem; a measurement that belongs to both kinds becomes two rows.
Problem marked(Problem problem, const Lines& kinds) {
    problem.measured = [kinds](const Trial&, Runner&) { return kinds; };
    return problem;
}

bool uses_the_cpus_threads(const VariantInfo& info) {
    return info.backend == Backend::omp || (info.backend == Backend::peer && !info.on_device);
}

}  // namespace

std::vector<int> thread_counts(int all, bool full) {
    std::vector<int> counts;
    for (int power = 1; power < all; power *= 2) {
        counts.push_back(power);
        const int between = power + power / 2;
        if (full && power > 1 && between < all) counts.push_back(between);
    }
    counts.push_back(all);
    return counts;
}

std::vector<Problem> for_scaling(
    BenchRequest request, int width, int height,
    const std::function<Problem(const BenchRequest&, int width, int height)>& problem_of) {
    std::erase_if(request.variants,
                  [](const VariantInfo& info) { return !uses_the_cpus_threads(info); });
    if (request.variants.empty()) return {};
    const int all = request.options.threads;
    const int rows = std::max(height / all, 1);  // of a thread, in weak scaling
    std::vector<Problem> problems;
    for (const int threads : thread_counts(all, request.full)) {
        request.options.threads = threads;
        const bool same = rows * threads == height;
        const Lines strong = same ? Lines{{"strong"}, {"weak"}} : Lines{{"strong"}};
        problems.push_back(marked(problem_of(request, width, height), strong));
        if (same) continue;
        problems.push_back(marked(problem_of(request, width, rows * threads), {{"weak"}}));
    }
    return problems;
}

}  // namespace harness
