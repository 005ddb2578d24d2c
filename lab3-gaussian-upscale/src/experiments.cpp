#include <fmt/format.h>

#include <utility>

#include "lab.hpp"

namespace upscale {
namespace {

using common::BenchRequest;
using common::Problem;

common::ImageSource landscape(int width, int height, std::uint64_t seed) {
    return common::parse_source(fmt::format("scene:landscape:{}x{}", width, height), seed);
}

/// The default Gaussian, and the bicubic method, which the libraries have too.
std::vector<Problem> both_methods(const BenchRequest& request,
                                  const std::vector<std::pair<int, int>>& sizes) {
    std::vector<Problem> problems;
    for (const auto& [width, height] : sizes) {
        for (const Method method : {Method::gauss, Method::bicubic}) {
            Filter filter;
            filter.method = method;
            problems.push_back(problem(landscape(width, height, request.seed), filter,
                                       request.variants, request.options));
        }
    }
    return problems;
}

std::vector<Problem> ladder(const BenchRequest& request) {
    if (!request.full) return both_methods(request, {{480, 270}});
    return both_methods(request, {{1920, 1080}});
}

std::vector<Problem> datasets(const BenchRequest& request) {
    if (!request.full) return both_methods(request, {{800, 500}, {1000, 700}});
    return both_methods(
        request, {{800, 500}, {1000, 700}, {1920, 1080}, {3992, 2242}, {5472, 3648}, {7680, 4320}});
}

}  // namespace

std::vector<common::Experiment> experiments() {
    return {{"ladder", "every variant at 1920x1080", ladder},
            {"datasets", "every variant at 800x500 to 7680x4320", datasets}};
}

}  // namespace upscale
