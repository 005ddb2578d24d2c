#include "variant_call.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/random.hpp"
#include "lab.hpp"
#include "mistakes.hpp"
#include "problem/oracle.hpp"
#include "problem/sums.hpp"

namespace {

using common::Block;

cv::Mat noise(int width, int height, std::int64_t low, std::int64_t high) {
    cv::Mat image(height, width, CV_32SC1);
    const auto values = static_cast<std::uint64_t>(high - low + 1);
    const auto seed = static_cast<std::uint64_t>(width * 1000 + height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto index =
                static_cast<std::uint64_t>(y) * 100'000 + static_cast<std::uint64_t>(x);
            const auto value = static_cast<std::int64_t>(harness::random_at(seed, index) % values);
            image.ptr<std::int32_t>(y)[x] = static_cast<std::int32_t>(low + value);
        }
    }
    return image;
}

/// Estimates the operations of a quadratic variant. In a tiled kernel every thread of the grid,
/// also outside the image, adds up whole tiles and waits at barriers.
double work_of_quadratic(const cv::Mat& image, const integral::Options& options,
                         std::optional<Block> tile) {
    const auto pixels = static_cast<double>(image.total());
    if (!tile) return pixels / 4;
    const auto blocks = [](int chosen, int length, int of_block) {
        return static_cast<double>(chosen > 0 ? chosen : (length + of_block - 1) / of_block);
    };
    const double tiles = blocks(options.grid.width, image.cols, tile->width) *
                         blocks(options.grid.height, image.rows, tile->height);
    const double threads = tiles * tile->threads();
    return threads * (threads + 4 * tiles) / 16 / pixels;
}

/// Images that are read at a glance, and rows and columns as long as a warp, a block and more.
std::vector<harness::VariantCall> probes(const common::VariantInfo& info, const harness::Job& job,
                                         int sum_type, std::optional<Block> tile) {
    std::vector<cv::Size> sizes{{20, 12}, {66, 36}};
    if (!tile && sum_type == CV_32SC1) {
        sizes.insert(sizes.end(), {{300, 6}, {6, 300}, {2100, 2}, {2, 2100}});
    }
    std::vector<harness::VariantCall> all;
    const auto add = [&](const cv::Mat& image) {
        all.push_back(variant_call_for(info, job, image, "", tile));
        all.back().probes = {};
    };
    for (const auto [width, height] : sizes) {
        add(sum_type == CV_32SC1 ? bytes(width, height) : wide(width, height));
    }
    if (job.in_ranks() != nullptr) {
        const cv::Mat image = sum_type == CV_32SC1 ? bytes(20, 12) : wide(20, 12);
        all.push_back(variant_call_for(info, harness::with_more_ranks(job), image, "", tile));
        all.back().probes = {};
    }
    if (sum_type != CV_32SC1) return all;
    // Sums that hardly fit 32 bits, which a float does not hold.
    for (const auto& [width, height] : {std::pair{20, 12}, {9, 14}}) {
        add(noise(width, height, 0, 0x7fffffff / (width * height)));
    }
    return all;
}

/// What the tasks in the handout let their variants refuse: blocks that are no whole warps, in
/// cuda_warp_rows.
bool may_refuse(const std::string& name, const std::optional<Block>& block) {
    constexpr std::array tasks{"omp_outer",   "omp_two_passes", "cuda_lines",
                               "cuda_broken", "cuda_warp_rows", "mpi_scan"};
    if (std::ranges::find(tasks, name) == tasks.end()) return true;
    return name == "cuda_warp_rows" && block && block->threads() % 32 != 0;
}

}  // namespace

harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const std::string& parameters,
                                      std::optional<Block> tile) {
    return {.variant = info,
            .job = job,
            .in = image,
            .out = {image.cols, image.rows, integral::sum_type(image)},
            .definition = integral::oracle,
            .parameters = parameters,
            .block = tile,
            .expected = integral::integral_image,
            .known_mistakes = [tile, ranks = job.in_ranks() != nullptr ? job.in_ranks()->ranks : 1](
                                  const cv::Mat& in) { return mistakes::of(in, tile, ranks); },
            .known_pairs = mistakes::pairs_of,
            .probes = [=] { return probes(info, job, integral::sum_type(image), tile); }};
}

harness::VariantCall variant_call_for(const integral::Variant& variant,
                                      const integral::Options& options, const cv::Mat& image,
                                      const std::string& parameters) {
    harness::VariantCall call = variant_call_for(variant, integral::job_for(variant, options),
                                                 image, parameters, tile_of(variant, options));
    call.may_refuse = may_refuse(variant.name, options.block);
    call.any_size = options.grid.width == 0 && options.grid.height == 0;
    if (variant.cost == integral::Cost::quadratic) {
        call.work = work_of_quadratic(image, options, call.block);
    }
    return call;
}

std::optional<Block> tile_of(const integral::Variant& variant, const integral::Options& options) {
    const bool tiled =
        variant.backend == common::Backend::cuda && variant.cost == integral::Cost::quadratic;
    return tiled ? std::optional(options.block.value_or(Block{16, 16})) : std::nullopt;
}

cv::Mat bytes(int width, int height) {
    return noise(width, height, 0, 255);
}

cv::Mat wide(int width, int height) {
    cv::Mat image = noise(width, height, -2147483648, 2147483647);
    image.ptr<std::int32_t>(0)[0] = 2147483647;
    return image;
}
