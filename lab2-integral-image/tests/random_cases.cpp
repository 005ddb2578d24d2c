#include "random_cases.hpp"

#include <algorithm>

#include "harness/random.hpp"
#include "lab.hpp"
#include "variant_call.hpp"

namespace {

using harness::Case;
using harness::Parameter;
using harness::Random;
using integral::Cost;
using integral::Options;
using integral::Variant;

enum Content { flat, noise_of_bits, ramp, extremes };

/// Pixels up to 2^bits - 1, and down to -2^bits if negative ones are allowed.
std::int32_t pixel_at(const Case& chosen, std::uint64_t index) {
    const std::int64_t high = (std::int64_t{1} << chosen["bits"]) - 1;
    const std::int64_t low = chosen["negative"] == 1 ? -high - 1 : 0;
    const auto random =
        harness::random_at(static_cast<std::uint64_t>(chosen["content_seed"]), index);
    const auto values = static_cast<std::uint64_t>(high - low + 1);
    switch (static_cast<Content>(chosen["content"])) {
        case flat:
            return static_cast<std::int32_t>(low < 0 ? low : high);
        case ramp:
            return static_cast<std::int32_t>(low + static_cast<std::int64_t>(index % values));
        case extremes:
            return static_cast<std::int32_t>(random % 2 == 0 ? low : high);
        case noise_of_bits:
            break;
    }
    return static_cast<std::int32_t>(low + static_cast<std::int64_t>(random % values));
}

/// Pixels whose sums the variant computes in about a millisecond.
std::int64_t most_pixels(const Variant& variant) {
    if (variant.cost == Cost::linear) return 400'000;
    if (harness::is_emulated(variant)) return 3'000;  // 4.5 million additions
    return variant.on_device ? 20'000 : 900;
}

std::vector<Parameter> more_launch_parameters(const Variant& variant) {
    if (variant.on_device) {
        return {{"more_blocks", 0, [](Random& random, const Case& chosen) {
                     const bool has_block = chosen.has("block_width") && chosen["block_width"] > 0;
                     return has_block && random.in(20) ? random.between(1, 3) : 0;
                 }}};
    }
    return {{"inner_threads", 1, [](Random& random, const Case&) {
                 return random.one_of({1, 1, 2, 3});
             }}};
}

Options options_of(const Case& chosen) {
    Options options;
    static_cast<common::RunOptions&>(options) = harness::run_options(chosen);
    if (chosen.has("inner_threads")) options.inner_threads = chosen.number("inner_threads");
    const int more = chosen.has("more_blocks") ? chosen.number("more_blocks") : 0;
    if (options.block && more > 0) {
        const auto blocks = [more](int pixels, int side) { return (pixels - 1) / side + 1 + more; };
        options.grid = {blocks(chosen.number("width"), options.block->width),
                        blocks(chosen.number("height"), options.block->height)};
    }
    return options;
}

std::vector<Parameter> input_parameters(std::int64_t most_pixels) {
    return harness::joined(
        {harness::size_parameters(most_pixels),
         {{"content",
           flat,
           [](Random& random, const Case&) {
               return random.in(60) ? std::int64_t{noise_of_bits} : random.between(flat, extremes);
           },
           {"flat", "noise", "ramp", "extremes"}},
          {"content_seed", 1,
           [](Random& random, const Case&) { return random.between(1, 1'000'000); }},
          {"bits", 1,
           [](Random& random, const Case&) {
               return random.in(50) ? 8 : random.one_of({1, 7, 12, 16, 20, 24, 30, 31});
           }},
          {"negative", 0, [](Random& random, const Case&) {
               return random.one_of({0, 0, 1});
           }}}});
}

cv::Mat image_of(const Case& chosen) {
    cv::Mat image(chosen.number("height"), chosen.number("width"), CV_32SC1);
    std::uint64_t index = 0;
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x, ++index) {
            image.ptr<std::int32_t>(y)[x] = pixel_at(chosen, index);
        }
    }
    return image;
}

}  // namespace

harness::RandomCases random_cases(const Variant& variant) {
    const auto parameters =
        harness::joined({input_parameters(most_pixels(variant)),
                         harness::launch_parameters(variant), more_launch_parameters(variant)});
    return {parameters, [&variant, parameters](const Case& chosen) {
                const Options options = options_of(chosen);
                return variant_call_for(variant, options, image_of(chosen),
                                        harness::to_text(parameters, chosen));
            }};
}
