#include <fmt/format.h>

#include <cmath>

#include "common/limit.hpp"
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

/// Weights without any structure that a variant could make use of.
Mask irregular_mask() {
    constexpr int n = 5;
    Mask mask{n, {}};
    for (int i = 0; i < n * n; ++i) {
        mask.weights[i] = static_cast<float>(0.08 * std::cos(1.0 + i * i));
    }
    return mask;
}

std::vector<Problem> limit(const BenchRequest& request) {
    std::vector<std::pair<int, int>> sizes{{256, 256}, {480, 270}};
    if (request.full) sizes.insert(sizes.end(), {{1920, 1080}, {7679, 4320}, {7680, 4320}});
    std::vector<NamedMask> masks{{"irregular5", irregular_mask()}};
    for (const char* name : {"gauss3", "sharpen", "gauss5", "unsharp5"}) {
        masks.push_back({name, find_filter(name)});
    }
    std::vector<Problem> problems;
    for (const auto& [width, height] : sizes) {
        for (const NamedMask& mask : masks) {
            problems.push_back(
                problem(landscape(width, height, request.seed), mask,
                        width % 2 == 0 ? request.variants : common::best_of(request.variants),
                        request.options, {}));
            problems.back().measured = common::limit_line;
        }
    }
    return problems;
}

}  // namespace

std::vector<common::Experiment> experiments(std::function<std::optional<NamedMask>()> filter) {
    return {{"resolutions", "every filter at 480x270 to 7680x4320, for block sizes 4x4 to 32x32",
             [filter](const BenchRequest& request) { return resolutions(request, filter()); }},
            {"masks", "time against mask size, 3x3 to 15x15", masks},
            {"limit", "the best variants, the libraries, and what bounds them", limit,
             common::limit_columns}};
}

}  // namespace convolution
