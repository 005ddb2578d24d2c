#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/experiments.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "problem/variant.hpp"

namespace integral {
namespace {

using common::Backend;
using common::Block;
using common::VariantInfo;
using harness::BenchRequest;
using harness::Problem;

harness::ImageSource random_image(int width, int height, std::uint64_t seed, int max_pixel) {
    auto source = harness::parse_source(fmt::format("random:{}x{}", width, height), seed);
    source.max_value = max_pixel;
    return source;
}

harness::ImageSource random_square(int side, std::uint64_t seed, int max_pixel = 255) {
    return random_image(side, side, seed, max_pixel);
}

std::vector<int> from_to(int first, int last, int step) {
    std::vector<int> sides;
    for (int side = first; side <= last; side += step) sides.push_back(side);
    return sides;
}

/// Sides for variants whose time grows with the fourth power of the side: those above 100 take
/// nearly all of it, so they are further apart than the 10 of the original report (002).
std::vector<int> quadratic_sides(const BenchRequest& request, const std::vector<int>& quick) {
    if (!request.full) return quick;
    std::vector<int> sides = from_to(10, 100, 10);
    for (const int side : from_to(200, 500, 100)) sides.push_back(side);
    return sides;
}

std::vector<VariantInfo> selected(const BenchRequest& request, Cost cost, Backend backend) {
    std::vector<VariantInfo> result;
    for (const VariantInfo& info : request.variants) {
        if (harness::variant_named(variants(), info.name).cost == cost && info.backend == backend) {
            result.push_back(info);
        }
    }
    return result;
}

/// `name` with these options, if it was asked for and can run.
void add(std::vector<Setup>& setups, const BenchRequest& request, std::string_view name,
         const Options& options) {
    for (const VariantInfo& info : request.variants) {
        if (info.name == name) setups.push_back({info, options});
    }
}

Options with_threads(const BenchRequest& request, int threads, int inner_threads = 1) {
    Options options{request.options};
    options.threads = threads;
    options.inner_threads = inner_threads;
    return options;
}

/// Every variant whose work is linear, with its own block.
std::vector<Setup> linear_setups(const BenchRequest& request) {
    std::vector<Setup> setups;
    for (const VariantInfo& info : request.variants) {
        if (harness::variant_named(variants(), info.name).cost == Cost::linear) {
            setups.push_back({info, Options{request.options}});
        }
    }
    return setups;
}

/// The four ways to cut an image into blocks, from table 1 of the original report (002).
struct Division {
    std::string label;
    Grid grid;
    Block block;
};

std::vector<Division> divisions(int side) {
    const std::vector<Division> lines{{"rows", {1, side}, {side, 1}},
                                      {"columns", {side, 1}, {1, side}}};
    std::vector<Division> all = lines;
    // One block or one thread per pixel may exceed CUDA's limits, or those of the report's GPU.
    // Then its table has the nearest that fits.
    all.push_back(side <= 100 ? Division{"most blocks", {side, side}, {1, 1}}
                              : Division{"most blocks", {255, 255}, {4, 4}});
    const int blocks = (side + 31) / 32;
    all.push_back(side <= 32 ? Division{"most threads", {1, 1}, {side, side}}
                             : Division{"most threads", {blocks, blocks}, {32, 32}});
    return all;
}

std::vector<Problem> block_limits(const BenchRequest& request) {
    const auto kernels = selected(request, Cost::quadratic, Backend::cuda);
    std::vector<Problem> problems;
    for (const int side :
         request.full ? std::vector<int>{10, 100, 1000} : std::vector<int>{10, 100}) {
        std::vector<Setup> setups;
        for (const Division& division : divisions(side)) {
            for (const VariantInfo& kernel : kernels) {
                Options options{request.options};
                options.grid = division.grid;
                options.block = division.block;
                setups.push_back({kernel, options, division.label});
            }
        }
        problems.push_back(problem(random_square(side, request.seed), setups));
    }
    return problems;
}

std::vector<Problem> block_sizes(const BenchRequest& request) {
    std::vector<Block> blocks{{8, 8}, {16, 16}, {32, 32}};
    if (request.options.block) blocks = {*request.options.block};
    std::vector<Problem> problems;
    for (const int side : request.full ? from_to(10, 500, 10) : from_to(100, 500, 200)) {
        std::vector<Setup> setups;
        for (const VariantInfo& kernel : selected(request, Cost::quadratic, Backend::cuda)) {
            for (const Block block : blocks) {
                Options options{request.options};
                options.block = block;
                setups.push_back({kernel, options});
            }
        }
        problems.push_back(problem(random_square(side, request.seed), setups));
    }
    return problems;
}

std::vector<Problem> omp_levels(const BenchRequest& request) {
    // A nested region of several threads creates them for every pixel: seconds for a call at
    // 100x100.
    constexpr int largest_of_inner_regions = 30;
    constexpr int many = 15;  // the number of the original report (002)
    std::vector<Problem> problems;
    for (const int side : request.full ? from_to(10, 100, 5) : from_to(10, 15, 5)) {
        std::vector<Setup> setups;
        add(setups, request, "seq_naive", with_threads(request, 1));
        add(setups, request, "omp_outer", with_threads(request, many));
        add(setups, request, "omp_inner", with_threads(request, many));
        add(setups, request, "omp_nested", with_threads(request, many, 1));
        if (side <= largest_of_inner_regions) {
            add(setups, request, "omp_nested", with_threads(request, 1, many));
            add(setups, request, "omp_nested", with_threads(request, many, many));
        }
        problems.push_back(problem(random_square(side, request.seed), setups));
    }
    return problems;
}

/// The numbers of threads of the original report (002), and as many as the machine has cores.
std::vector<Problem> omp_threads(const BenchRequest& request) {
    std::vector<int> counts{10, 100, 1000};
    if (!request.full) counts.pop_back();
    counts.push_back(request.options.threads);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    std::vector<Problem> problems;
    for (const int side : quadratic_sides(request, from_to(50, 200, 50))) {
        std::vector<Setup> setups;
        add(setups, request, "seq_naive", with_threads(request, 1));
        for (const int threads : counts) {
            add(setups, request, "omp_outer", with_threads(request, threads));
        }
        problems.push_back(problem(random_square(side, request.seed), setups));
    }
    return problems;
}

std::vector<Problem> comparison(const BenchRequest& request) {
    constexpr int report_threads = 100;  // what report 002 chose from its experiment on threads
    Options as_in_report{request.options};
    as_in_report.block = request.options.block.value_or(Block{16, 16});
    std::vector<Problem> problems;
    for (const int side : quadratic_sides(request, {10, 50, 100, 200})) {
        std::vector<Setup> setups;
        add(setups, request, "seq_naive", with_threads(request, 1));
        add(setups, request, "omp_outer", with_threads(request, request.options.threads));
        add(setups, request, "omp_outer", with_threads(request, report_threads));
        add(setups, request, "cuda_shared", as_in_report);
        const std::vector<Setup> linear = linear_setups(request);
        setups.insert(setups.end(), linear.begin(), linear.end());
        problems.push_back(problem(random_square(side, request.seed), setups));
    }
    return problems;
}

/// The largest of 255, 127, 63, … for which 32-bit sums suffice.
int largest_pixel_for_32_bits(int width, int height) {
    int largest = 255;
    while (static_cast<std::int64_t>(width) * height * largest > 2147483647) largest /= 2;
    return largest;
}

/// Pixels up to 255; where these need 64-bit sums, also smaller pixels for 32-bit sums.
std::vector<Problem> large(const BenchRequest& request) {
    std::vector<Problem> problems;
    const std::vector<Setup> setups = linear_setups(request);
    for (int side = 512; side <= (request.full ? 16384 : 2048); side *= 2) {
        const int largest = largest_pixel_for_32_bits(side, side);
        problems.push_back(problem(random_square(side, request.seed, largest), setups));
        if (largest < 255) problems.push_back(problem(random_square(side, request.seed), setups));
    }
    return problems;
}

/// Each rung of the ladder against the one before it. The quadratic ones would take minutes to
/// hours: `comparison` and `limit` measure them at small sizes.
std::vector<Problem> ladder(const BenchRequest& request) {
    const int side = request.full ? 8192 : 1024;
    const std::vector<Setup> setups = linear_setups(request);
    std::vector<Problem> problems{
        problem(random_square(side, request.seed, largest_pixel_for_32_bits(side, side)), setups)};
    if (request.full) problems.push_back(problem(random_square(side, request.seed), setups));
    return problems;
}

/// Quadratic variants, other than OpenMP's, only for small images: otherwise they take minutes.
std::vector<Setup> limit_setups(const BenchRequest& request, bool small, const char* label) {
    std::vector<Setup> setups;
    for (const VariantInfo& info : request.variants) {
        const bool linear = harness::variant_named(variants(), info.name).cost == Cost::linear;
        if (linear || (small && info.backend != Backend::omp)) {
            setups.push_back({info, Options{request.options}, label});
        }
    }
    return setups;
}

/// Every size with 32-bit sums, and with the pixels that make them 64-bit sums.
std::vector<Problem> limit(const BenchRequest& request) {
    constexpr int pixel_for_64_bits = 65535;
    std::vector<std::pair<int, int>> sizes =
        harness::limit_sizes(request, {{1024, 1024}, {8191, 8191}, {8192, 8192}});
    if (!request.full) sizes.push_back({1024, 1024});
    std::vector<Problem> problems;
    for (const auto& [width, height] : sizes) {
        const bool smallest = width <= 256;
        const int narrow = largest_pixel_for_32_bits(width, height);
        const int wide = narrow < 255 ? 255 : pixel_for_64_bits;
        problems.push_back(problem(random_image(width, height, request.seed, narrow),
                                   limit_setups(request, smallest, "32-bit")));
        if (width < 256) continue;  // so few pixels that 32 bits suffice
        problems.push_back(problem(random_image(width, height, request.seed, wide),
                                   limit_setups(request, false, "64-bit")));
    }
    for (Problem& each : problems) each.measured = harness::limit_line;
    return problems;
}

/// With 32-bit sums.
std::vector<Problem> scaling(const BenchRequest& request) {
    const int side = request.full ? 8192 : 1024;
    const int pixel = largest_pixel_for_32_bits(side, side);
    return harness::for_scaling(
        request, side, side, [pixel](const BenchRequest& wanted, int width, int height) {
            return problem(random_image(width, height, wanted.seed, pixel), linear_setups(wanted));
        });
}

/// The loop of omp_outer, whose iterations differ in length, with four schedules.
std::vector<Problem> schedules(BenchRequest request) {
    std::erase_if(request.variants,
                  [](const VariantInfo& info) { return !info.name.starts_with("omp_outer"); });
    return harness::for_strong_scaling(request, [&request](const BenchRequest& wanted) {
        std::vector<Setup> setups;
        for (const VariantInfo& info : wanted.variants) {
            setups.push_back({info, Options{wanted.options}});
        }
        return problem(random_square(request.full ? 500 : 200, request.seed), setups);
    });
}

std::vector<Problem> ranks(const BenchRequest& request) {
    const int side = request.full ? 4096 : 1024;
    const auto make = [](int width, int height, const BenchRequest& part) {
        return problem(random_image(width, height, part.seed, 255), linear_setups(part));
    };
    return harness::rank_problems(
        request, "omp_scan", {side, side, CV_32SC1}, make,
        {[](int width) { return sizeof(Sum32) * static_cast<std::size_t>(width); },
         harness::doubling_steps},
        32768);
}

}  // namespace

std::vector<harness::Experiment> experiments() {
    return {
        {"block_limits",
         "quadratic kernels at 10, 100 and 1000 squared, four extreme divisions into blocks",
         block_limits},
        {"block_sizes", "quadratic kernels with blocks of 8, 16 and 32 squared, sides 10 to 500",
         block_sizes},
        {"omp_levels", "OpenMP over pixels, inside each pixel, or both; sides 10 to 100",
         omp_levels},
        {"omp_threads", "omp_outer with 10, 100 and 1000 threads, sides 10 to 500", omp_threads},
        {"comparison", "the best of report 002 against scans and libraries, sides 10 to 500",
         comparison},
        {"ladder", "every linear rung and the libraries, 8192 squared", ladder, {}, true},
        {"large", "variants whose work is linear, 512 to 16384 squared", large},
        {"limit", "the best variants, the libraries, and what bounds them", limit,
         harness::limit_columns},
        {"older_cpus", "omp_best with the vector instructions of older CPUs",
         [](const BenchRequest& request) { return harness::for_older_cpus(request, limit); },
         harness::older_cpus_columns},
        {"scaling", "OpenMP rungs and libraries with 1 to all threads: strong and weak scaling",
         scaling, harness::scaling_columns},
        {"schedules", "omp_outer with four schedules and 1 to all threads: load imbalance",
         schedules, harness::scaling_columns},
        {"ranks", "mpi variants on 1 rank to one per core, beside omp_scan; their messages", ranks,
         harness::rank_columns, true}};
}

}  // namespace integral
