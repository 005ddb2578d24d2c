#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "harness/experiments.hpp"
#include "lab.hpp"

namespace convolution {
namespace {

using common::Backend;
using common::VariantInfo;
using harness::BenchRequest;
using harness::Problem;

harness::ImageSource landscape(int width, int height, std::uint64_t seed) {
    return harness::parse_source(fmt::format("scene:landscape:{}x{}", width, height), seed);
}

/// The same kernel with the mask in three memory spaces; the first is a rung of the ladder.
constexpr std::array<std::string_view, 3> memory_spaces{"cuda_per_pixel", "cuda_constant_symbol",
                                                        "cuda_global_mask"};

std::vector<VariantInfo> chosen(const BenchRequest& request,
                                const std::function<bool(const VariantInfo&)>& wanted) {
    std::vector<VariantInfo> variants;
    std::copy_if(request.variants.begin(), request.variants.end(), std::back_inserter(variants),
                 wanted);
    return variants;
}

/// All variants except the two that exist for `constant_memory` only.
std::vector<VariantInfo> of_the_ladder(const BenchRequest& request) {
    return chosen(request, [](const VariantInfo& info) {
        return std::find(memory_spaces.begin() + 1, memory_spaces.end(), info.name) ==
               memory_spaces.end();
    });
}

/// seq takes a second per call at 7680x4320 and more with large masks: most of the time of an
/// experiment, if it ran with every mask.
std::vector<VariantInfo> without_seq(std::vector<VariantInfo> variants) {
    std::erase_if(variants, [](const VariantInfo& info) { return info.backend == Backend::seq; });
    return variants;
}

std::vector<NamedMask> all_filters() {
    std::vector<NamedMask> masks;
    for (const std::string_view name : filter_names()) {
        masks.push_back({std::string(name), find_filter(name)});
    }
    return masks;
}

/// From half a warp to the most threads of a block.
std::vector<common::Block> blocks(const BenchRequest& request) {
    if (request.options.block) return {*request.options.block};
    if (!request.full) return {{4, 4}, {16, 16}, {32, 32}};
    return {{4, 4}, {8, 8}, {16, 8}, {16, 16}, {32, 8}, {32, 16}, {32, 32}};
}

std::vector<Problem> resolutions(const BenchRequest& request, std::optional<NamedMask> filter) {
    std::vector<std::pair<int, int>> sizes{{480, 270}, {1920, 1080}};
    std::vector<NamedMask> masks{{"sharpen", find_filter("sharpen")},
                                 {"gauss5", find_filter("gauss5")}};
    if (request.full) {
        sizes = {{480, 270}, {960, 540}, {1920, 1080}, {3840, 2160}, {7680, 4320}};
        masks = all_filters();
    }
    if (filter) masks = {*filter};
    const std::vector<VariantInfo> variants = of_the_ladder(request);
    std::vector<Problem> problems;
    for (const auto& [width, height] : sizes) {
        for (const NamedMask& mask : masks) {
            problems.push_back(problem(landscape(width, height, request.seed), mask, variants,
                                       request.options, blocks(request)));
        }
    }
    return problems;
}

/// One image with Gaussians of 3x3 to 15x15, each by the variants that `variants_for` names.
std::vector<Problem> every_mask_size(
    const BenchRequest& request,
    const std::function<std::vector<VariantInfo>(int size)>& variants_for) {
    const int height = request.full ? 2160 : 180;
    std::vector<Problem> problems;
    for (int size = 3; size <= Mask::max_size; size += request.full ? 2 : 4) {
        problems.push_back(problem(landscape(height * 16 / 9, height, request.seed),
                                   {fmt::format("gaussian{}", size), gaussian_mask(size)},
                                   variants_for(size), request.options, {}));
    }
    return problems;
}

std::vector<Problem> masks(const BenchRequest& request) {
    const int largest_of_seq = request.full ? 7 : Mask::max_size;
    const std::vector<VariantInfo> variants = of_the_ladder(request);
    return every_mask_size(request, [&](int size) {
        return size <= largest_of_seq ? variants : without_seq(variants);
    });
}

std::vector<Problem> constant_memory(const BenchRequest& request) {
    const std::vector<VariantInfo> variants = chosen(request, [](const VariantInfo& info) {
        return std::find(memory_spaces.begin(), memory_spaces.end(), info.name) !=
               memory_spaces.end();
    });
    return every_mask_size(request, [&](int) { return variants; });
}

/// Each rung of the ladder against the one before it.
std::vector<Problem> ladder(const BenchRequest& request) {
    const int height = request.full ? 4320 : 540;
    std::vector<Problem> problems;
    for (const char* name : {"gauss3", "gauss5"}) {
        problems.push_back(problem(landscape(height * 16 / 9, height, request.seed),
                                   {name, find_filter(name)}, of_the_ladder(request),
                                   request.options, {}));
    }
    return problems;
}

/// 25 small integers over their sum: no column times a row, and no power of two divides by 113.
NamedMask integers_over_113() {
    constexpr int numerators[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 11,
                                  5, 6, 7, 8, 9, 1, 2, 3, 4, 2, 3, 1};
    NamedMask result{"integers5", {5, {}}};
    std::ranges::transform(numerators, result.mask.weights,
                           [](int integer) { return static_cast<float>(integer) / 113; });
    return result;
}

std::vector<Problem> limit_up_to_5x5(const BenchRequest& request) {
    const std::vector<VariantInfo> all = of_the_ladder(request);
    const auto variants_for = [&](int width) {
        if (width % 2 != 0) return harness::best_of(all);
        return width > 1920 && harness::has_gpu(request) ? without_seq(all) : all;
    };
    std::vector<NamedMask> masks{{"irregular5", irregular_mask(5)}};
    for (const char* name : {"gauss3", "box3", "sharpen", "gauss5", "unsharp5"}) {
        masks.push_back({name, find_filter(name)});
    }
    std::vector<Problem> problems;
    for (const auto& [width, height] :
         harness::limit_sizes(request, {{1920, 1080}, {7679, 4320}, {7680, 4320}})) {
        for (const NamedMask& mask : masks) {
            problems.push_back(problem(landscape(width, height, request.seed), mask,
                                       variants_for(width), request.options, {}));
        }
    }
    if (request.full) {
        problems.push_back(problem(landscape(7680, 4320, request.seed), integers_over_113(),
                                   variants_for(7680), request.options, {}));
    }
    return problems;
}

/// With --full also larger masks, for the best variants and the libraries: others take seconds.
std::vector<Problem> limit(const BenchRequest& request) {
    std::vector<Problem> problems = limit_up_to_5x5(request);
    const std::vector<VariantInfo> best =
        harness::with_libraries(request, harness::best_of(request.variants));
    for (const int size : {7, 11, Mask::max_size}) {
        if (!request.full) break;
        for (const NamedMask& mask :
             {NamedMask{fmt::format("gaussian{}", size), gaussian_mask(size)},
              NamedMask{fmt::format("irregular{}", size), irregular_mask(size)}}) {
            problems.push_back(
                problem(landscape(7680, 4320, request.seed), mask, best, request.options, {}));
        }
    }
    for (Problem& each : problems) each.measured = harness::limit_line;
    return problems;
}

std::vector<Problem> scaling(const BenchRequest& request) {
    const auto [width, height] = request.full ? std::pair(3840, 2160) : std::pair(480, 272);
    return harness::for_scaling(
        request, width, height, [](const BenchRequest& wanted, int columns, int rows) {
            return problem(landscape(columns, rows, wanted.seed), {"gauss5", find_filter("gauss5")},
                           wanted.variants, wanted.options, {});
        });
}

std::vector<Problem> ranks(const BenchRequest& request) {
    const int height = request.full ? 2160 : 540;
    const auto make = [](int width, int rows, const BenchRequest& part) {
        return problem(landscape(width, rows, part.seed), {"gauss5", find_filter("gauss5")},
                       part.variants, part.options, {});
    };
    return harness::rank_problems(
        request, "omp_rows", {height * 16 / 9, height, CV_8UC3}, make,
        {[](int width) { return std::size_t{2} * 3 * static_cast<std::size_t>(width); },
         harness::two_neighbours},
        32768);
}

}  // namespace

std::vector<harness::Experiment> experiments(std::function<std::optional<NamedMask>()> filter) {
    return {
        {"resolutions", "every filter at 480x270 to 7680x4320, for block sizes 4x4 to 32x32",
         [filter](const BenchRequest& request) { return resolutions(request, filter()); }},
        {"ladder", "every rung and the libraries, gauss3 and gauss5, 7680x4320", ladder, {}, true},
        {"masks", "time against mask size, 3x3 to 15x15", masks},
        {"constant_memory",
         "the mask as kernel parameter, __constant__ symbol and in global memory, 3x3 to 15x15",
         constant_memory},
        {"limit", "the best variants, the libraries, and what bounds them", limit,
         harness::limit_columns},
        {"older_cpus", "omp_best with the vector instructions of older CPUs",
         [](const BenchRequest& request) {
             return harness::for_older_cpus(request, limit_up_to_5x5);
         },
         harness::older_cpus_columns},
        {"scaling", "OpenMP rungs and libraries with 1 to all threads: strong and weak scaling",
         scaling, harness::scaling_columns},
        {"ranks", "mpi variants on 1 rank to one per core, beside omp_rows; their messages", ranks,
         harness::rank_columns, true}};
}

}  // namespace convolution
