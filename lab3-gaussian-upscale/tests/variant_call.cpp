#include "variant_call.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "problem/oracle.hpp"

namespace {

using harness::KnownMistake;
using upscale::Filter;
using upscale::float_error;
using upscale::Rules;
using upscale::weighted_means;

uchar floored(double value) {
    return static_cast<uchar>(std::clamp(std::floor(value), 0.0, 255.0));
}

uchar rounded(double value) {
    return floored(value + 0.5);
}

/// True if every value of `out` is `convert(mean)`, for a mean that may be off by float_error.
bool is_converted(const cv::Mat& out, const cv::Mat& means, uchar (*convert)(double)) {
    for (int y = 0; y < out.rows; ++y) {
        for (int x = 0; x < out.cols * out.channels(); ++x) {
            const double mean = means.ptr<double>(y)[x];
            const uchar value = out.ptr(y)[x];
            if (value < convert(mean - float_error) || value > convert(mean + float_error)) {
                return false;
            }
        }
    }
    return true;
}

/// Channel c of the result is channel `from[c]`, or 255 where that is 3: the alpha of a pixel of
/// four bytes.
cv::Mat with_channels(const cv::Mat& means, const std::array<int, 3>& from) {
    cv::Mat result = means.clone();
    for (int y = 0; y < means.rows; ++y) {
        for (int i = 0; i < means.cols * 3; ++i) {
            const int source = from[static_cast<std::size_t>(i % 3)];
            result.ptr<double>(y)[i] = source == 3 ? 255 : means.ptr<double>(y)[i - i % 3 + source];
        }
    }
    return result;
}

/// True if some values are wrong, but only ones whose taps reach beyond their block's own pixels.
/// There have to be others, which are right: a small block or image has none.
bool wrong_at_block_edges_only(const cv::Mat& out, const cv::Mat& means, common::Block block,
                               int radius) {
    bool any_wrong = false;
    bool any_inside = false;
    for (int y = 0; y < out.rows; ++y) {
        for (int x = 0; x < out.cols * out.channels(); ++x) {
            const double error =
                std::fabs(std::clamp(means.ptr<double>(y)[x], 0.0, 255.0) - out.ptr(y)[x]);
            const bool wrong = error > 0.5 + float_error;
            const int in_x = x / out.channels() % block.width;
            const int in_y = y % block.height;
            const int reach = 2 * radius + 1;
            const bool inside = in_x >= reach && in_x < block.width - reach && in_y >= reach &&
                                in_y < block.height - reach;
            if (inside && wrong) return false;
            any_inside |= inside;
            any_wrong |= wrong;
        }
    }
    return any_wrong && any_inside;
}

/// The mistakes that people make in this lab.
std::vector<KnownMistake> mistakes(const cv::Mat& image, const Filter& filter,
                                   std::optional<common::Block> block) {
    const auto with_rules = [=](const Rules& rules) {
        return [=](const cv::Mat& out) {
            return is_converted(out, weighted_means(image, filter, rules), rounded);
        };
    };
    const auto with_colours = [=](const std::array<int, 3>& from) {
        return [=](const cv::Mat& out) {
            return image.channels() == 3 &&
                   is_converted(out, with_channels(weighted_means(image, filter), from), rounded);
        };
    };
    std::vector<KnownMistake> all{
        {"the phases of even and odd pixels are swapped",
         with_rules({.even_offset = -0.25, .odd_offset = 0.25})},
        {"the phase is half an output pixel off: samples at X/2 instead of (X+0.5)/2 - 0.5",
         with_rules({.even_offset = 0, .odd_offset = -0.5})},
        {"taps outside the image are skipped, and the sum is not divided by what is left of the "
         "weights",
         with_rules({.border = Rules::skipped_not_normalized})},
        {"taps outside the image are skipped instead of clamped to it",
         with_rules({.border = Rules::skipped})},
        {"the mean is truncated instead of rounded to nearest",
         [=](const cv::Mat& out) {
             return is_converted(out, weighted_means(image, filter), floored);
         }},
        {"the fourth byte of a pixel leaks into a colour", with_colours({1, 2, 3})},
        {"the fourth byte of a pixel leaks into a colour", with_colours({3, 0, 1})},
        {"the channels are swapped (RGB for BGR)", with_colours({2, 1, 0})}};
    if (block) {
        all.push_back({"wrong near the edges of blocks only: is the halo of a tile too small?",
                       [=](const cv::Mat& out) {
                           return wrong_at_block_edges_only(out, weighted_means(image, filter),
                                                            *block, filter.weights().radius);
                       }});
    }
    return all;
}

}  // namespace

harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const Filter& filter,
                                      const std::string& parameters,
                                      std::optional<common::Block> block) {
    return {.variant = info,
            .job = std::move(job),
            .in = image,
            .out = {2 * image.cols, 2 * image.rows, image.type()},
            .definition = [filter](const cv::Mat& in) { return upscale::oracle(in, filter); },
            .border = 2 * filter.weights().radius,
            .parameters = parameters,
            .known_mistakes =
                [=] {
                    const bool known = filter.method != upscale::Method::learned;
                    return known ? mistakes(image, filter, block) : std::vector<KnownMistake>{};
                }};
}
