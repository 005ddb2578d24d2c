#include "lab.hpp"

#include <string>
#include <vector>

#include "harness/variants.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace @{space}@ {
namespace {

common::Trial trial(const common::VariantInfo& info, const common::ImageSource& input,
                    const common::RunOptions& run) {
    Options options{run};
    if (info.backend == common::Backend::seq) options.threads = 1;
    // `parameters` names every option that a result depends on: the lab's own come first.
    std::string parameters = "threads=" + std::to_string(options.threads);
    if (info.on_device) parameters = run.block ? "block=" + to_string(*run.block) : "";
    return {.variant = info,
            .options = options,
            .job = common::bind(common::variant_named(variants(), info.name), options),
            .parameters = parameters,
            .columns = {},
            .work = static_cast<double>(input.width) * input.height};
}

common::Problem problem(const common::ImageSource& input,
                        const std::vector<common::VariantInfo>& chosen,
                        const common::RunOptions& run) {
    common::Problem result;
    result.input = input;
    result.check = [run](const cv::Mat& in) { return oracle::check(in, Options{run}); };
    result.operations = [](const cv::Mat& in) {  // one for each value
        return static_cast<double>(in.total()) * in.channels();
    };
    for (const common::VariantInfo& info : chosen) {
        result.trials.push_back(trial(info, input, run));
    }
    return result;
}

/// Each rung against the one before it.
std::vector<common::Problem> ladder(const common::BenchRequest& request) {
    const std::string size = request.full ? "7680x4320" : "1920x1080";
    const auto input = common::parse_source("scene:landscape:" + size, request.seed);
    return {problem(input, request.variants, request.options)};
}

}  // namespace

common::Lab make_lab() {
    common::Lab lab;
    lab.name = "@{folder}@";
    lab.what = "inverts images";
    lab.variants = {variants().begin(), variants().end()};
    lab.experiments = {{"ladder", "every rung, 7680x4320", ladder}};
    lab.problem = [](const common::ImageSource& input, const common::VariantInfo& info,
                     const common::RunOptions& run) { return problem(input, {info}, run); };
    return lab;
}

}  // namespace @{space}@
