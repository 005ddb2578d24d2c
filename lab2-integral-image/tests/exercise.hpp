#pragma once

#include <string>

#include "gold.hpp"
#include "harness/random.hpp"
#include "harness/testing.hpp"
#include "problem/variant.hpp"

// Brings a variant and an image together for common::judge.

inline common::Exercise exercise_for(const common::VariantInfo& info, common::Job job,
                                     const cv::Mat& image, const std::string& parameters,
                                     std::optional<common::Block> tile = std::nullopt) {
    return {.variant = info,
            .job = std::move(job),
            .in = image,
            .out = {image.cols, image.rows, gold::type_of_sums(image)},
            .definition = gold::check,
            .parameters = parameters,
            .suspicions = [image, tile] { return gold::suspicions(image, tile); }};
}

/// The tiles that a kernel works in, if it does.
inline std::optional<common::Block> tile_of(const integral::Variant& variant,
                                            const integral::Options& options) {
    const bool tiled =
        variant.backend == common::Backend::cuda && variant.cost == integral::Cost::quadratic;
    return tiled ? std::optional(options.block.value_or(common::Block{16, 16})) : std::nullopt;
}

/// Independent pixels from `low` to `high`: every pixel differs from its neighbours.
inline cv::Mat noise(int width, int height, std::int64_t low, std::int64_t high) {
    cv::Mat image(height, width, CV_32SC1);
    const auto values = static_cast<std::uint64_t>(high - low + 1);
    const auto seed = static_cast<std::uint64_t>(width * 1000 + height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto index =
                static_cast<std::uint64_t>(y) * 100'000 + static_cast<std::uint64_t>(x);
            const auto value = static_cast<std::int64_t>(common::random_at(seed, index) % values);
            image.ptr<std::int32_t>(y)[x] = static_cast<std::int32_t>(low + value);
        }
    }
    return image;
}

/// Pixels of a byte; their sums fit 32 bits up to 8 megapixels.
inline cv::Mat bytes(int width, int height) {
    return noise(width, height, 0, 255);
}

/// Pixels of either sign that need 64-bit sums from two pixels on.
inline cv::Mat wide(int width, int height) {
    cv::Mat image = noise(width, height, -2147483648, 2147483647);
    image.ptr<std::int32_t>(0)[0] = 2147483647;
    return image;
}
