#include <fmt/format.h>

#include "lab.hpp"

namespace convolution {
namespace {

using common::BenchRequest;
using common::Problem;

common::ImageSource landscape(int width, int height, std::uint64_t seed) {
    return common::parse_source(fmt::format("scene:landscape:{}x{}", width, height), seed);
}

std::vector<NamedMask> all_filters() {
    std::vector<NamedMask> masks;
    for (const std::string_view name : filter_names()) {
        masks.push_back({std::string(name), find_filter(name)});
    }
    return masks;
}

/// From one thread in sixteen of a warp's worth to the most that a block may have.
std::vector<common::Block> blocks(const BenchRequest& request) {
    if (request.options.block) return {*request.options.block};
    if (!request.full) return {{4, 4}, {16, 16}, {32, 32}};
    return {{4, 4}, {8, 8}, {16, 8}, {16, 16}, {32, 8}, {32, 16}, {32, 32}};
}

std::vector<Problem> resolutions(const BenchRequest& request, std::optional<NamedMask> filter) {
    std::vector<std::pair<int, int>> sizes{{480, 270}, {960, 540}, {1920, 1080}};
    std::vector<NamedMask> masks{{"sharpen", find_filter("sharpen")},
                                 {"gauss5", find_filter("gauss5")}};
    if (request.full) {
        sizes.insert(sizes.end(), {{3840, 2160}, {7680, 4320}});
        masks = all_filters();
    }
    if (filter) masks = {*filter};
    std::vector<Problem> problems;
    for (const auto& [width, height] : sizes) {
        for (const NamedMask& mask : masks) {
            problems.push_back(problem(landscape(width, height, request.seed), mask,
                                       request.variants, request.options, blocks(request)));
        }
    }
    return problems;
}

std::vector<Problem> masks(const BenchRequest& request) {
    const int height = request.full ? 2160 : 270;
    std::vector<Problem> problems;
    for (int size = 3; size <= Mask::max_size; size += 2) {
        problems.push_back(problem(landscape(height * 16 / 9, height, request.seed),
                                   {fmt::format("gaussian{}", size), gaussian_mask(size)},
                                   request.variants, request.options, {}));
    }
    return problems;
}

}  // namespace

std::vector<common::Experiment> experiments(std::function<std::optional<NamedMask>()> filter) {
    return {{"resolutions", "every filter at 480x270 to 7680x4320, for block sizes 4x4 to 32x32",
             [filter](const BenchRequest& request) { return resolutions(request, filter()); }},
            {"masks", "time against mask size, 3x3 to 15x15", masks}};
}

}  // namespace convolution
