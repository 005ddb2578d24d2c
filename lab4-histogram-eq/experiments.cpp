#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/device.hpp"
#include "harness/experiments.hpp"
#include "harness/measure.hpp"
#include "harness/statistics.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "problem/variant.hpp"

namespace equalize {
namespace {

using common::Backend;
using common::Block;
using common::VariantInfo;
using harness::BenchRequest;
using harness::Problem;
using harness::Runner;
using harness::Trial;

/// A picture of the original report, replaced by a scene of the same size and tones.
struct Picture {
    std::string label;  ///< as in the original report's tables
    std::string scene;
    int width;
    int height;
};

const std::vector<Picture> pictures{
    {"lc 256x256", "low-contrast", 256, 256},    {"di 1344x768", "dark-interior", 1344, 768},
    {"f 1280x813", "foggy", 1280, 813},          {"o 608x406", "overexposed", 608, 406},
    {"u 1024x683", "underexposed", 1024, 683},   {"o 3680x2760", "overexposed", 3680, 2760},
    {"u 3680x2760", "underexposed", 3680, 2760}, {"hr 3072x4096", "landscape", 3072, 4096}};

/// Those of the quick run, without the three large ones.
constexpr std::size_t quick_pictures = 5;

std::vector<Picture> chosen_pictures(const BenchRequest& request) {
    const auto count = static_cast<std::ptrdiff_t>(request.full ? pictures.size() : quick_pictures);
    return {pictures.begin(), pictures.begin() + count};
}

/// A scene of common, or `skewed`.
harness::ImageSource source(const std::string& scene, int width, int height, std::uint64_t seed) {
    harness::ImageSource result;
    result.text = fmt::format("scene:{}:{}x{}", scene, width, height);
    result.scene = scene;
    result.width = width;
    result.height = height;
    result.seed = seed;
    return result;
}

/// `cuda_streamed`, for one: it does its own transfers, and its kernels cannot be told apart.
bool is_host_to_host(const VariantInfo& info) {
    const Variant& variant = harness::variant_named(variants(), info.name);
    return variant.on_device && variant.host != nullptr;
}

/// Every variant on every picture.
std::vector<Problem> every_variant(const BenchRequest& request,
                                   const std::vector<Picture>& inputs) {
    std::vector<Problem> problems;
    for (const auto& [label, scene, width, height] : inputs) {
        std::vector<Setup> setups;
        for (const VariantInfo& info : request.variants) {
            setups.push_back({.variant = info, .options = request.options, .label = label});
        }
        problems.push_back(problem(source(scene, width, height, request.seed), setups));
    }
    return problems;
}

std::vector<Problem> images(const BenchRequest& request) {
    return every_variant(request, chosen_pictures(request));
}

/// Each rung of the ladder against the one before it. The data rate of a call from host to host is
/// that of the bus, so that such a call has no place between the rungs.
std::vector<Problem> ladder(BenchRequest request) {
    std::erase_if(request.variants, is_host_to_host);
    const int height = request.full ? 4320 : 540;
    return every_variant(request, {{"landscape", "landscape", height * 16 / 9, height}});
}

std::vector<Problem> contention(const BenchRequest& request) {
    const auto [width, height] = request.full ? std::pair(3680, 2760) : std::pair(1024, 683);
    return every_variant(request, {{"constant", "constant", width, height},
                                   {"two-level", "two-level", width, height},
                                   {"skewed", "skewed", width, height},
                                   {"uniform", "random", width, height}});
}

/// The steps from the original report's program to one that overlaps transfers and kernels, for
/// that program and for a rung with faster kernels.
std::vector<Setup> steps(const BenchRequest& request, const std::string& label) {
    const std::vector<harness::Transfers> transfers{{.fresh_buffers = true, .pinned = true},
                                                    {.fresh_buffers = true, .pinned = false},
                                                    {.fresh_buffers = false, .pinned = false},
                                                    {.fresh_buffers = false, .pinned = true}};
    std::vector<Setup> setups;
    for (const VariantInfo& info : request.variants) {
        if (info.backend == Backend::seq || is_host_to_host(info)) {
            setups.push_back({info, request.options, {}, label});
        }
        if (info.name == "cuda_three_kernels" || info.name == "cuda_lane_histograms") {
            for (const harness::Transfers& how : transfers) {
                setups.push_back({info, request.options, how, label});
            }
        }
    }
    return setups;
}

std::string step_of(const harness::Job& job) {
    if (!job.on_gpu()) return "CPU";
    if (!job.needs_transfers()) return "overlap";
    return fmt::format("{}{}buffers", job.transfers.fresh_buffers ? "fresh " : "reused ",
                       job.transfers.pinned ? "pinned " : "");
}

const std::vector<std::string> stage_columns{"step",      "context_ms", "allocation_ms",
                                             "upload_ms", "kernels_ms", "download_ms"};

/// The stages of a call, each the trimmed mean of ten calls.
std::vector<std::vector<std::string>> stages_of(const Trial& trial, Runner& runner) {
    constexpr int repeats = 10;
    const std::string context = runner.on_gpu() ? fmt::format("{:.6g}", harness::context_ms()) : "";
    std::vector<std::string> line{step_of(trial.job), context};
    if (!runner.has_transfers()) {
        line.resize(stage_columns.size());
        return {line};
    }
    std::vector<double> samples[4];
    for (int i = 0; i < repeats; ++i) {
        const harness::Stages stages = runner.stages();
        samples[0].push_back(stages.allocation);
        samples[1].push_back(stages.upload);
        samples[2].push_back(stages.kernels);
        samples[3].push_back(stages.download);
    }
    for (const std::vector<double>& of_stage : samples) {
        line.push_back(fmt::format("{:.6g}", harness::statistics(of_stage).trimmed_mean));
    }
    return {line};
}

/// Calls from host to host, beside the sequential one, on the pictures of 1024x683 and more.
std::vector<Problem> host_to_host(BenchRequest request) {
    std::erase_if(request.variants, [](const VariantInfo& info) {
        return info.backend != Backend::seq && !is_host_to_host(info);
    });
    if (!harness::has_gpu(request)) return {};
    std::vector<Picture> large;
    for (const Picture& picture : pictures) {
        if (picture.width < 1024 || picture.scene == "landscape") continue;
        large.push_back({picture.scene, picture.scene, picture.width, picture.height});
    }
    return every_variant(request, large);
}

std::vector<Problem> pipeline(const BenchRequest& request) {
    std::vector<Problem> problems;
    for (const auto& [label, scene, width, height] : chosen_pictures(request)) {
        problems.push_back(
            problem(source(scene, width, height, request.seed), steps(request, label)));
        problems.back().measured = stages_of;
    }
    return problems;
}

const std::vector<std::string> kernel_columns{"kernel",           "block_threads",
                                              "registers",        "shared_bytes",
                                              "local_bytes",      "blocks_per_multiprocessor",
                                              "occupancy_percent"};

std::vector<std::vector<std::string>> kernels_in(const Trial&, Runner& runner) {
    std::vector<std::vector<std::string>> lines;
    for (const harness::KernelFacts& kernel : runner.kernels()) {
        lines.push_back(
            {kernel.name, std::to_string(kernel.block_x * kernel.block_y * kernel.block_z),
             std::to_string(kernel.registers), std::to_string(kernel.shared_bytes),
             std::to_string(kernel.local_bytes), std::to_string(kernel.blocks_per_multiprocessor),
             fmt::format("{:.1f}", 100 * kernel.occupancy)});
    }
    return lines;
}

std::vector<Problem> occupancy(const BenchRequest& request) {
    std::vector<Block> blocks{{8, 8}, {16, 16}, {32, 8}, {32, 16}, {32, 32}};
    if (request.options.block) blocks = {*request.options.block};
    const auto [width, height] = request.full ? std::pair(3072, 4096) : std::pair(1024, 683);
    std::vector<Setup> setups;
    for (const VariantInfo& info : request.variants) {
        if (info.backend != Backend::cuda || is_host_to_host(info)) continue;
        for (const Block block : blocks) {
            Options options = request.options;
            options.block = block;
            setups.push_back({.variant = info, .options = options, .label = to_string(block)});
        }
    }
    Problem all = problem(source("landscape", width, height, request.seed), setups);
    all.measured = kernels_in;
    return {all};
}

std::vector<Problem> limit(const BenchRequest& request) {
    std::vector<Picture> inputs;
    for (const auto& [width, height] :
         harness::limit_sizes(request, {{3072, 4096}, {7679, 4320}, {7680, 4320}})) {
        inputs.push_back({"landscape", "landscape", width, height});
    }
    if (request.full) {
        inputs.insert(inputs.end(), {{"constant", "constant", 3072, 4096},
                                     {"two-level", "two-level", 3072, 4096}});
    }
    std::vector<Problem> problems = every_variant(request, inputs);
    if (request.full) std::ranges::move(host_to_host(request), std::back_inserter(problems));
    for (Problem& each : problems) each.measured = harness::limit_line;
    return problems;
}

std::vector<Problem> scaling(const BenchRequest& request) {
    const auto [width, height] = request.full ? std::pair(7680, 4320) : std::pair(1024, 576);
    return harness::for_scaling(
        request, width, height, [](const BenchRequest& wanted, int columns, int rows) {
            return every_variant(wanted, {{"landscape", "landscape", columns, rows}}).front();
        });
}

std::vector<Problem> ranks(const BenchRequest& request) {
    const int height = request.full ? 4320 : 540;
    const auto make = [](int width, int rows, const BenchRequest& part) {
        return every_variant(part, {{"landscape", "landscape", width, rows}}).front();
    };
    return harness::rank_problems(
        request, "omp_rows", {height * 16 / 9, height, CV_8UC1}, make,
        {[](int) { return levels * sizeof(Count); }, harness::doubling_steps}, 32768);
}

}  // namespace

std::vector<harness::Experiment> experiments() {
    return {
        {"images", "every variant on eight pictures, 256x256 to 3072x4096", images},
        {"ladder", "every rung and the libraries, 7680x4320", ladder, {}, true},
        {"pipeline", "the stages of a host-to-host call, and how to shorten them", pipeline,
         stage_columns},
        {"occupancy", "registers, shared memory and occupancy of each kernel, by block size",
         occupancy, kernel_columns},
        {"contention", "every variant on one size, from one level to all levels", contention},
        {"limit", "every variant and library, and what bounds them", limit, harness::limit_columns},
        {"older_cpus", "omp_best with the vector instructions of older CPUs",
         [](const BenchRequest& request) { return harness::for_older_cpus(request, limit); },
         harness::older_cpus_columns},
        {"scaling", "OpenMP rungs and libraries with 1 to all threads: strong and weak scaling",
         scaling, harness::scaling_columns},
        {"ranks", "mpi variants on 1 rank to one per core, beside omp_rows; their messages", ranks,
         harness::rank_columns, true}};
}

}  // namespace equalize
