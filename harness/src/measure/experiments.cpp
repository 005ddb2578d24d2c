#include "harness/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/instruction_sets.hpp"
#include "harness/measure.hpp"
#include "harness/thread_times.hpp"

namespace harness {

using namespace common;
namespace {

std::vector<InstructionSet> sets_of_this_machine() {
    std::vector<InstructionSet> sets;
    for (int set = 0; set <= static_cast<int>(InstructionSet::amx); ++set) {
        const auto each = static_cast<InstructionSet>(set);
        if (machine_has(each)) sets.push_back(each);
    }
    return sets;
}

std::int64_t pixels(const Problem& problem) {
    return std::int64_t{problem.input.width} * problem.input.height;
}

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

bool has_gpu(const BenchRequest& request) {
    return std::ranges::any_of(request.variants,
                               [](const VariantInfo& info) { return info.on_device; });
}

std::vector<std::pair<int, int>> limit_sizes(const BenchRequest& request,
                                             const std::vector<std::pair<int, int>>& large) {
    std::vector<std::pair<int, int>> sizes{{256, 256}, {480, 270}};
    if (!request.full) return sizes;
    if (!has_gpu(request)) sizes.insert(sizes.begin(), {16, 16});
    sizes.insert(sizes.end(), large.begin(), large.end());
    return sizes;
}

std::vector<VariantInfo> best_of(const std::vector<VariantInfo>& variants) {
    std::vector<VariantInfo> best;
    for (const VariantInfo& info : variants) {
        if (info.name.ends_with("_best")) best.push_back(info);
    }
    return best;
}

std::vector<VariantInfo> with_libraries(const BenchRequest& request,
                                        std::vector<VariantInfo> variants) {
    std::ranges::copy_if(request.variants, std::back_inserter(variants),
                         [](const VariantInfo& info) { return info.backend == Backend::peer; });
    return variants;
}

std::vector<std::vector<std::string>> limit_line(const Trial&, Runner& runner) {
    return {{runner.on_gpu() ? fmt::format("{:.6g}", empty_kernel_ms()) : ""}};
}

std::vector<Problem> for_older_cpus(
    BenchRequest request,
    const std::function<std::vector<Problem>(const BenchRequest&)>& experiment) {
    std::erase_if(request.variants,
                  [](const VariantInfo& info) { return info.name != "omp_best"; });
    if (request.variants.empty()) return {};
    std::vector<Problem> problems;
    for (const InstructionSet set : sets_of_this_machine()) {
        request.options.limits.instruction_set = set;
        std::vector<Problem> restricted = experiment(request);
        if (problems.empty()) {
            problems = std::move(restricted);
            continue;
        }
        for (std::size_t i = 0; i < problems.size(); ++i) {
            std::ranges::move(restricted[i].trials, std::back_inserter(problems[i].trials));
        }
    }
    if (problems.empty()) return {};
    const std::int64_t most = pixels(*std::ranges::max_element(problems, {}, pixels));
    std::erase_if(problems, [&](const Problem& each) { return pixels(each) < most; });
    for (Problem& each : problems) {
        each.measured = [](const Trial& trial, Runner&) {
            return std::vector<std::vector<std::string>>{
                {names_of(trial.options.limits.instruction_set).in_tables}};
        };
    }
    return problems;
}

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
