#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "harness/experiments.hpp"
#include "harness/measure.hpp"
#include "harness/roofline.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "quality.hpp"

namespace upscale {
namespace {

using common::VariantInfo;
using harness::BenchRequest;
using harness::Problem;
using Lines = std::vector<std::vector<std::string>>;  // of an experiment's own columns

harness::ImageSource landscape(int width, int height, std::uint64_t seed) {
    return harness::parse_source(fmt::format("scene:landscape:{}x{}", width, height), seed);
}

const Traits& traits_of(const VariantInfo& info) {
    return harness::variant_named(variants(), info.name);
}

bool is_library(const VariantInfo& info) {
    return info.backend == common::Backend::peer;
}

std::vector<VariantInfo> in_ladder(const BenchRequest& request) {
    std::vector<VariantInfo> chosen = request.variants;
    std::erase_if(chosen, [](const VariantInfo& info) { return !traits_of(info).in_ladder; });
    return chosen;
}

/// The largest input, in pixels, that a variant gets. On a machine with a GPU, a slow variant would
/// take more time than all others together. On any machine, its time with the second method is that
/// with the first.
int most_pixels(const BenchRequest& request, const VariantInfo& info, Method method) {
    constexpr int any = std::numeric_limits<int>::max();
    if (!traits_of(info).slow) return any;
    if (method != Method::gauss) return 1000 * 700;
    return harness::has_gpu(request) ? 1920 * 1080 : any;
}

/// The problems that ignore most_pixels.
enum class SlowToo { nowhere, gauss, everywhere };

/// The default Gaussian and the bicubic method, which libraries have too; some of them have the
/// weights of `lagrange`. A library that does not have a method is left out there.
std::vector<Problem> both_methods(const BenchRequest& request,
                                  const std::vector<std::pair<int, int>>& sizes,
                                  SlowToo slow_too = SlowToo::nowhere) {
    std::vector<Problem> problems;
    for (const auto& [width, height] : sizes) {
        const int pixels = width * height;
        for (const Method method : {Method::gauss, Method::bicubic, Method::lagrange}) {
            const bool all = slow_too == SlowToo::everywhere ||
                             (slow_too == SlowToo::gauss && method == Method::gauss);
            std::vector<VariantInfo> variants = in_ladder(request);
            std::erase_if(variants, [&](const VariantInfo& info) {
                return (method == Method::lagrange && !is_library(info)) ||
                       (!all && pixels > most_pixels(request, info, method));
            });
            const Filter filter{.method = method};
            problems.push_back(
                problem(landscape(width, height, request.seed), filter, variants, request.options));
        }
    }
    return problems;
}

/// The variants of the method `learned`, the slow ones only up to `slow_width`. Benchmarks always
/// have the sequential one; alone, it has nothing to be compared with.
void add_learned(std::vector<Problem>& problems, const BenchRequest& request, int width, int height,
                 int slow_width) {
    std::vector<VariantInfo> variants = request.variants;
    std::erase_if(variants, [&](const VariantInfo& info) {
        const Traits& traits = traits_of(info);
        return !traits.learned || (traits.slow && width > slow_width);
    });
    const auto is_sequential = [](const VariantInfo& info) {
        return info.backend == common::Backend::seq;
    };
    if (std::all_of(variants.begin(), variants.end(), is_sequential)) return;
    problems.push_back(problem(landscape(width, height, request.seed), {.method = Method::learned},
                               variants, request.options));
}

std::vector<Problem> ladder(const BenchRequest& request) {
    std::vector<Problem> problems;
    if (!request.full) {
        problems = both_methods(request, {{480, 270}});
        // A small image does not fill a GPU, and has too few threads for the last rungs.
        if (harness::has_gpu(request)) {
            std::ranges::move(both_methods(request, {{1920, 1080}}), std::back_inserter(problems));
        }
        add_learned(problems, request, 256, 144, 256);
        return problems;
    }
    problems = both_methods(request, {{1920, 1080}}, SlowToo::everywhere);
    std::ranges::move(both_methods(request, {{7680, 4320}}, SlowToo::gauss),
                      std::back_inserter(problems));
    add_learned(problems, request, 1920, 1080, 1920);
    return problems;
}

std::vector<Problem> datasets(const BenchRequest& request) {
    if (!request.full) return both_methods(request, {{400, 250}, {640, 400}});
    return both_methods(
        request, {{800, 500}, {1000, 700}, {1920, 1080}, {3992, 2242}, {5472, 3648}, {7680, 4320}});
}

std::vector<Problem> limit(const BenchRequest& request) {
    const auto sizes = harness::limit_sizes(request, {{1920, 1080}, {7680, 4320}});
    // Without a GPU, the figures compare the best variant with the slow ones.
    std::vector<Problem> problems = both_methods(
        request, sizes, harness::has_gpu(request) ? SlowToo::nowhere : SlowToo::everywhere);
    if (request.full) {
        const std::vector<VariantInfo> best = harness::best_of(request.variants);
        problems.push_back(problem(landscape(7679, 4320, request.seed), {}, best, request.options));
        problems.push_back(problem(landscape(7680, 4320, request.seed),
                                   {.method = Method::bilinear},
                                   harness::with_libraries(request, best), request.options));
    }
    for (const auto& [width, height] : sizes) {  // without --full, `ladder` has them
        if (request.full) add_learned(problems, request, width, height, 256);
    }
    for (Problem& each : problems) each.measured = harness::limit_line;
    return problems;
}

/// Radius 1 to 7: 9 to 225 taps, whose weights are products of 3 to 15 stored ones.
std::vector<Problem> constant_memory(const BenchRequest& request) {
    std::vector<VariantInfo> variants = request.variants;
    std::erase_if(variants,
                  [](const VariantInfo& info) { return !traits_of(info).compares_weight_memory; });
    const auto [width, height] = request.full ? std::pair(1920, 1080) : std::pair(480, 270);
    std::vector<Problem> problems;
    for (int radius = 1; radius <= Weights::max_radius; ++radius) {
        const Filter filter{.radius = radius, .sigma = radius / 3.0};
        problems.push_back(
            problem(landscape(width, height, request.seed), filter, variants, request.options));
    }
    return problems;
}

/// The bicubic method, which libraries have too.
std::vector<Problem> scaling(BenchRequest request) {
    request.variants = in_ladder(request);
    const auto [width, height] = request.full ? std::pair(1920, 1080) : std::pair(320, 176);
    return harness::for_scaling(
        request, width, height, [](const BenchRequest& wanted, int columns, int rows) {
            return problem(landscape(columns, rows, wanted.seed), {.method = Method::bicubic},
                           wanted.variants, wanted.options);
        });
}

// ---- quality --------------------------------------------------------------------------------

/// A picture to restore from one of half its width and height.
struct Restoration {
    harness::ImageSource source;
    std::string name;
    cv::Mat original;
    cv::Mat small;
};

std::vector<Restoration> restorations(const BenchRequest& request,
                                      const std::vector<std::string>& pictures) {
    std::vector<std::string> inputs = pictures;
    if (inputs.empty()) {
        const char* size = request.full ? "640x426" : "256x170";
        for (const char* scene : {"landscape", "foggy", "overexposed", "underexposed"}) {
            inputs.push_back(fmt::format("scene:{}:{}", scene, size));
        }
    }
    std::vector<Restoration> all;
    for (const std::string& input : inputs) {
        Restoration one;
        one.source = harness::parse_source(input, request.seed);
        one.name = one.source.scene.empty() ? std::filesystem::path(input).stem().string()
                                            : one.source.scene;
        const cv::Mat image = harness::load_source(one.source);
        one.small = halved(image);
        one.original = image({0, 0, 2 * one.small.cols, 2 * one.small.rows});
        one.source.width = one.small.cols;
        one.source.height = one.small.rows;
        all.push_back(one);
    }
    return all;
}

/// Gaussians, the interpolations, and the choice between them.
std::vector<Filter> filters_to_compare(bool full) {
    std::vector<Filter> filters;
    const int step = full ? 2 : 8;
    for (int percent = 20; percent <= 100; percent += step) {
        filters.emplace_back().sigma = percent / 100.0;
    }
    for (const Method method :
         {Method::bicubic, Method::bilinear, Method::lanczos, Method::learned}) {
        filters.emplace_back().method = method;
    }
    filters.emplace_back().automatic = true;
    return filters;
}

/// Quality depends on the method, not on the implementation: the first OpenMP variant represents
/// all of ours. `with_library` adds OpenCV, which has no Gaussian.
std::vector<VariantInfo> variants_for_quality(const BenchRequest& request, Method method,
                                              bool with_library) {
    std::vector<VariantInfo> chosen;
    for (const VariantInfo& info : request.variants) {
        if (traits_of(info).learned != (method == Method::learned)) continue;
        const bool ours = info.backend == common::Backend::omp;
        const bool library = is_library(info) && !info.on_device;
        if ((ours && chosen.empty()) || (library && with_library)) chosen.push_back(info);
    }
    return chosen;
}

std::vector<Problem> quality(const BenchRequest& request,
                             const std::vector<std::string>& pictures) {
    std::vector<Problem> problems;
    for (const Restoration& one : restorations(request, pictures)) {
        for (const Filter& filter : filters_to_compare(request.full)) {
            const bool with_library = filter.method != Method::gauss && !filter.automatic;
            Problem next = problem(one.source, filter.chosen_for(one.small),
                                   variants_for_quality(request, filter.method, with_library),
                                   request.options);
            next.image = one.small;
            next.measured = [one](const harness::Trial&, harness::Runner& runner) {
                const cv::Mat out = runner.result();
                return Lines{{one.name, fmt::format("{:.4f}", psnr(one.original, out)),
                              fmt::format("{:.6f}", ssim(one.original, out))}};
            };
            problems.push_back(next);
        }
    }
    return problems;
}

// ---- roofline -------------------------------------------------------------------------------

/// The two limits of the roofline model, in GFLOP/s and GB/s.
struct Ceilings {
    double fma = 0;
    double copy = 0;
};

Ceilings ceilings(bool on_device, int threads) {
    constexpr std::size_t large = std::size_t{1} << 30;  // bytes, more than all caches hold
    const harness::Statistics fma =
        on_device ? harness::device_fma_gflop_per_s() : harness::host_fma_gflop_per_s(threads);
    return {fma.max, harness::copy_gb_per_s(large, on_device, threads).trimmed_mean};
}

std::vector<Problem> roofline(const BenchRequest& request) {
    const Filter filter;
    const auto [width, height] = request.full ? std::pair(1920, 1080) : std::pair(480, 270);
    Problem all = problem(landscape(width, height, request.seed), filter, in_ladder(request),
                          request.options);
    const double values = 4.0 * width * height * 3;
    const int radius = filter.weights().radius;
    // The ceilings are measured once for the GPU, and once for each number of threads.
    auto known = std::make_shared<std::map<std::pair<bool, int>, Ceilings>>();
    all.measured = [values, radius, known](const harness::Trial& trial, harness::Runner&) {
        const auto operations = traits_of(trial.variant).operations;
        const std::pair which(trial.variant.on_device, trial.options.threads);
        if (!known->contains(which)) known->emplace(which, ceilings(which.first, which.second));
        const Ceilings& mine = known->at(which);
        return Lines{{operations ? fmt::format("{:.6g}", operations(radius, 3) * values) : "",
                      fmt::format("{:.6g}", mine.fma), fmt::format("{:.6g}", mine.copy)}};
    };
    return {all};
}

std::vector<Problem> ranks(const BenchRequest& request) {
    const int height = request.full ? 1080 : 270;
    const auto make = [](int width, int rows, const BenchRequest& part) {
        return problem(landscape(width, rows, part.seed), {}, part.variants, part.options);
    };
    const std::size_t radius = static_cast<std::size_t>(Filter{}.weights().radius);
    return harness::rank_problems(
        request, "omp_rows", {height * 16 / 9, height, CV_8UC3}, make,
        {[radius](int width) { return radius * 3 * static_cast<std::size_t>(width); },
         harness::two_neighbours},
        16384);  // the output has as many pixels as in other labs
}

}  // namespace

std::vector<harness::Experiment> experiments(std::shared_ptr<const BenchArguments> arguments) {
    return {
        {"ladder", "every variant at 1920x1080 and 7680x4320", ladder, {}, true},
        {"datasets", "every variant at 800x500 to 7680x4320", datasets},
        {"constant_memory",
         "weights as kernel parameter, __constant__ symbol and in global memory, radius 1 to 7",
         constant_memory},
        {"quality",
         "pictures halved and enlarged again: PSNR and SSIM by sigma and method",
         [arguments](const BenchRequest& request) { return quality(request, arguments->pictures); },
         {"picture", "psnr_db", "ssim"}},
        {"roofline",
         "operations and bytes against the peak rates of the machine",
         roofline,
         {"flop", "fma_gflop_per_s", "ceiling_gb_per_s"}},
        {"limit", "the best variants, the libraries, and what bounds them", limit,
         harness::limit_columns},
        {"older_cpus", "omp_best with the vector instructions of older CPUs",
         [](const BenchRequest& request) { return harness::for_older_cpus(request, limit); },
         harness::older_cpus_columns},
        {"scaling", "OpenMP rungs and libraries with 1 to all threads: strong and weak scaling",
         scaling, harness::scaling_columns},
        {"ranks", "mpi variants on 1 rank to one per core, beside omp_rows; their messages", ranks,
         harness::rank_columns, true}};
}

}  // namespace upscale
