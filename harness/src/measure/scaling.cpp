#include "harness/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/measure.hpp"
#include "harness/thread_times.hpp"

namespace harness {
namespace {

using Kinds = std::vector<std::string>;

/// A measurement that belongs to both kinds becomes two rows.
std::vector<std::vector<std::string>> lines_of(const Kinds& kinds, const Trial& trial,
                                               Runner& runner) {
    std::vector<std::string> facts(3);
    if (const int threads = trial.options.threads; threads > 1) {
        const ThreadTimes times = thread_times([&] { runner.call(); }, threads);
        facts = {fmt::format("{:.1f}", times.idle_percent), fmt::format("{:.3f}", times.imbalance),
                 fmt::format("{:.4g}", times.serial_ms)};
    }
    std::vector<std::vector<std::string>> lines;
    for (const std::string& kind : kinds) {
        lines.push_back({kind});
        lines.back().insert(lines.back().end(), facts.begin(), facts.end());
    }
    return lines;
}

/// Marks the rows of the problem.
Problem marked(Problem problem, const Kinds& kinds) {
    problem.measured = [kinds](const Trial& trial, Runner& runner) {
        return lines_of(kinds, trial, runner);
    };
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

std::vector<Problem> for_strong_scaling(
    BenchRequest request, const std::function<Problem(const BenchRequest&)>& problem_of) {
    std::vector<Problem> problems;
    if (request.variants.empty()) return problems;
    for (const int threads : thread_counts(request.options.threads, request.full)) {
        request.options.threads = threads;
        problems.push_back(marked(problem_of(request), {"strong"}));
    }
    return problems;
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
        const Kinds strong = same ? Kinds{"strong", "weak"} : Kinds{"strong"};
        problems.push_back(marked(problem_of(request, width, height), strong));
        if (same) continue;
        problems.push_back(marked(problem_of(request, width, rows * threads), {"weak"}));
    }
    return problems;
}

}  // namespace harness
