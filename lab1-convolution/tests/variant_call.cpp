#include "variant_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/scenes.hpp"
#include "masks.hpp"
#include "mistakes.hpp"
#include "problem/oracle.hpp"

namespace {

using convolution::Mask;
using convolution::Options;

/// A mask of digits of pi, divided by 4 or 8, every fourth one negative. With pixels up to 42, most
/// sums lie in 0..255, so clamping does not hide mistakes.
Mask readable_mask(int size) {
    constexpr std::string_view digits = "3141592653589793238462643";
    Mask mask{size, {}};
    for (int i = 0; i < size * size; ++i) {
        const int digit = digits[static_cast<std::size_t>(i)] - '0';
        mask.weights[i] =
            static_cast<float>(i % 4 == 2 ? -digit : digit) / (size == 3 ? 4.0f : 8.0f);
    }
    return mask;
}

cv::Mat readable_image(int width, int height, int channels) {
    return harness::make_scene("random", width, height, channels,
                               static_cast<std::uint64_t>(width)) /
           6;
}

/// Small images of small values with asymmetric masks, whose sums are exact; the last one has all
/// values, so that many sums are clamped.
std::vector<harness::VariantCall> probes(const common::VariantInfo& info, const MakeJob& make_job,
                                         const Options& failed) {
    std::vector<harness::VariantCall> all;
    Options options = failed;
    if (info.backend == common::Backend::cuda && !options.block) options.block = {8, 4};
    const auto add = [&](const cv::Mat& image, const Mask& mask) {
        options.mask = mask;
        const std::string text = fmt::format("an asymmetric {}x{} mask", mask.size, mask.size);
        all.push_back(variant_call_for(info, make_job, options, image, text));
        all.back().probes = {};
    };
    add(readable_image(20, 12, 1), readable_mask(3));
    add(readable_image(19, 13, 3), readable_mask(3));
    add(readable_image(20, 12, 3), readable_mask(5));
    add(readable_image(9, 14, 1), readable_mask(5));
    add(harness::make_scene("random", 20, 12, 1, 1), asymmetric_mask(5, 9));
    if (info.backend != common::Backend::mpi) return all;
    ++options.ranks;  // among three, there is one between two others
    add(readable_image(20, 12, 1), readable_mask(3));
    return all;
}

/// What the tasks in the handout let their variants refuse: more than 1024 threads with one per
/// channel, and a tile of more than 48 KB, which may have a float for each value.
bool may_refuse(const std::string& name, const Options& options, const cv::Mat& image) {
    constexpr std::array all_options{"omp_rows", "omp_strips", "cuda_per_pixel", "mpi_rows"};
    if (std::ranges::find(all_options, name) != all_options.end()) return false;
    const common::Block block = options.block.value_or(common::Block{32, 8});
    if (name == "cuda_broken") return block.threads() * image.channels() > 1024;
    if (name != "cuda_shared") return true;  // no task
    const int halo = 2 * options.mask.radius();
    const int values = (block.width + halo) * (block.height + halo) * image.channels();
    return 4 * values > 48 * 1024;
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
            .ranks = options.ranks,
            .halo = info.backend == common::Backend::mpi ? mask.radius() : 0,
            .expected = [mask](const cv::Mat& in) { return convolution::bounds(in, mask).low; },
            .known_mistakes = [mask, block = options.block](
                                  const cv::Mat& in) { return mistakes::of(in, mask, block); },
            .known_pairs = [mask, block = options.block](
                               const cv::Mat& in) { return mistakes::pairs_of(in, mask, block); },
            .options = mask,
            .kept_options =
                [mask](const std::any& earlier, const cv::Mat& in, const cv::Mat& out) {
                    const auto explains = [&](const Mask& kept) {
                        return harness::explains_wrong_values(
                            convolution::oracle(in, mask), convolution::oracle(in, kept),
                            convolution::bounds(in, kept).low, out);
                    };
                    Mask kept = std::any_cast<const Mask&>(earlier);
                    if (explains(kept)) return true;
                    kept.size = mask.size;
                    return explains(kept);
                },
            .probes = [=] { return probes(info, make_job, options); },
            .work = static_cast<double>(mask.size * mask.size),
            .may_refuse = may_refuse(info.name, options, image)};
}

harness::VariantCall variant_call_for(const convolution::Variant& variant, const Options& options,
                                      const cv::Mat& image, const std::string& parameters) {
    const auto make_job = [variant](const Options& chosen) {
        return harness::bind(variant, chosen);
    };
    return variant_call_for(variant, make_job, options, image, parameters);
}
