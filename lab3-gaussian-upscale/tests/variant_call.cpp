#include "variant_call.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/scenes.hpp"
#include "mistakes.hpp"
#include "problem/oracle.hpp"

namespace {

using upscale::Filter;

/// Small images of distinct values, with the failed call's filter. The last ones are so long that
/// mistakes where tiles and segments begin differ from mistakes at the border.
std::vector<harness::VariantCall> probes(const common::VariantInfo& info, const harness::Job& job,
                                         const Filter& filter, std::optional<common::Block> block) {
    std::vector<harness::VariantCall> all;
    const auto add = [&](const harness::Job& of, const cv::Mat& image) {
        all.push_back(variant_call_for(info, of, image, filter, filter.parameters(), block));
        all.back().probes = {};
    };
    for (const auto& [width, height, channels] :
         {std::array{20, 12, 3}, {13, 11, 3}, {20, 12, 1}, {9, 14, 1}, {5, 131, 1}, {131, 5, 1}}) {
        const auto seed = static_cast<std::uint64_t>(width);
        add(job, harness::make_scene("random", width, height, channels, seed));
    }
    if (job.in_ranks() != nullptr) add(harness::with_more_ranks(job), all.front().in);
    return all;
}

/// What the tasks in the handout let their variants refuse: in cuda_sliding, blocks of more than
/// 256 threads, and all radii but 2, of which its first step consists.
bool may_refuse(const std::string& name, const Filter& filter,
                const std::optional<common::Block>& block) {
    if (name == "cuda_sliding") {
        return filter.options().weights.radius != 2 || (block && block->threads() > 256);
    }
    constexpr std::array tasks{"omp_pixels", "omp_separable", "cuda_phases", "cuda_broken"};
    return std::ranges::find(tasks, name) == tasks.end();
}

}  // namespace

harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const Filter& filter,
                                      const std::string& parameters,
                                      std::optional<common::Block> block) {
    const double taps = filter.method == upscale::Method::learned ? 25 : 2.0 * filter.radius + 1;
    return {.variant = info,
            .job = job,
            .in = image,
            .out = {2 * image.cols, 2 * image.rows, image.type()},
            .definition = [filter](const cv::Mat& in) { return upscale::oracle(in, filter); },
            .parameters = parameters,
            .block = block,
            .ranks = job.in_ranks() != nullptr ? job.in_ranks()->ranks : 1,
            .halo = info.backend == common::Backend::mpi ? filter.weights().radius : 0,
            .expected =
                [filter](const cv::Mat& in) {
                    return filter.method == upscale::Method::learned
                               ? upscale::learned(in, *filter.options().network)
                               : upscale::bounds(in, filter).low;
                },
            .known_mistakes =
                [filter, block](const cv::Mat& in) { return mistakes::of(in, filter, block); },
            .known_pairs = [filter, block](
                               const cv::Mat& in) { return mistakes::pairs_of(in, filter, block); },
            .options = filter,
            .kept_options =
                [filter](const std::any& earlier, const cv::Mat& in, const cv::Mat& out) {
                    const auto kept = std::any_cast<const Filter&>(earlier);
                    return mistakes::kept_weights(filter, kept, in, out);
                },
            .probes = [=] { return probes(info, job, filter, block); },
            .work = taps * taps,
            .may_refuse = may_refuse(info.name, filter, block)};
}
