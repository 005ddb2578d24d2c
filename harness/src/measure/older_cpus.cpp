#include "harness/older_cpus.hpp"

#include <algorithm>
#include <iterator>

#include "common/instruction_sets.hpp"

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

}  // namespace

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

}  // namespace harness
