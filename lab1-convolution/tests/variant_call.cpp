#include "variant_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/scenes.hpp"
#include "masks.hpp"
#include "mistakes.hpp"
#include "problem/oracle.hpp"

namespace {

using convolution::Mask;
using convolution::Options;

/// Small images of distinct values with asymmetric masks, whose sums are exact.
std::vector<harness::VariantCall> probes(const common::VariantInfo& info, const MakeJob& make_job,
                                         const Options& failed) {
    std::vector<harness::VariantCall> all;
    Options options = failed;
    if (info.backend == common::Backend::cuda && !options.block) options.block = {8, 4};
    for (const auto& [width, height, channels, size] :
         {std::array{20, 12, 3, 5}, {19, 13, 3, 3}, {20, 12, 1, 5}, {9, 14, 1, 3}}) {
        const auto seed = static_cast<std::uint64_t>(width);
        options.mask = asymmetric_mask(size, seed);
        const std::string text = fmt::format("an asymmetric {}x{} mask", size, size);
        all.push_back(variant_call_for(info, make_job, options,
                                       harness::make_scene("random", width, height, channels, seed),
                                       text));
        all.back().probes = {};
    }
    return all;
}

}  // namespace

harness::VariantCall variant_call_for(const common::VariantInfo& info, const MakeJob& make_job,
                                      const Options& options, const cv::Mat& image,
                                      const std::string& parameters) {
    const Mask& mask = options.mask;
    return {.variant = info,
            .job = make_job(options),
            .in = image,
            .out = harness::Shape::of(image),
            .definition = [mask](const cv::Mat& in) { return convolution::oracle(in, mask); },
            .parameters = parameters,
            .block = options.block,
            .expected = [mask](const cv::Mat& in) { return convolution::bounds(in, mask).low; },
            .known_mistakes =
                [mask, block = options.block, ranks = options.ranks,
                 backend = info.backend](const cv::Mat& in) {
                    auto all = mistakes::of(in, mask, block);
                    if (backend != common::Backend::mpi) return all;
                    std::ranges::move(mistakes::of_halos(in, mask, ranks), std::back_inserter(all));
                    return all;
                },
            .probes = [=] { return probes(info, make_job, options); },
            .work = static_cast<double>(mask.size * mask.size)};
}

harness::VariantCall variant_call_for(const convolution::Variant& variant, const Options& options,
                                      const cv::Mat& image, const std::string& parameters) {
    const auto make_job = [variant](const Options& chosen) {
        return harness::bind(variant, chosen);
    };
    return variant_call_for(variant, make_job, options, image, parameters);
}
