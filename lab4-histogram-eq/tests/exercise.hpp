#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "gold.hpp"
#include "harness/random.hpp"
#include "harness/scenes.hpp"
#include "harness/testing.hpp"
#include "problem/options.hpp"

// Brings a variant and an image together for common::judge.

inline common::Exercise exercise_for(const common::VariantInfo& info, common::Job job,
                                     const cv::Mat& image, const std::string& parameters,
                                     std::optional<common::Block> block = std::nullopt) {
    return {.variant = info,
            .job = std::move(job),
            .in = image,
            .out = {image.cols, image.rows, image.type()},
            .definition = gold::check,
            .parameters = parameters,
            .suspicions = [image, block] { return gold::suspicions(image, block); }};
}

/// Independent pixels, all levels equally likely.
inline cv::Mat noise(int width, int height) {
    return common::make_scene("random", width, height, 1,
                              static_cast<std::uint64_t>(width * 1000 + height));
}

/// The same with fewer levels: `first`, `first + step`, and so on.
inline cv::Mat noise_of(int width, int height, int first, int step) {
    cv::Mat image = noise(width, height);
    const int count = (255 - first) / step + 1;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            uchar& pixel = image.ptr(y)[x];
            pixel = static_cast<uchar>(first + pixel % count * step);
        }
    }
    return image;
}

/// An image with the given number of pixels of each level, shuffled, `width` wide.
inline cv::Mat with_counts(const gold::Counts& counts, int width) {
    const std::int64_t pixels = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    std::vector<uchar> values;
    values.reserve(static_cast<std::size_t>(pixels));
    for (std::size_t level = 0; level < counts.size(); ++level) {
        values.insert(values.end(), static_cast<std::size_t>(counts[level]),
                      static_cast<uchar>(level));
    }
    for (std::size_t i = values.size(); i > 1; --i) {
        std::swap(values[i - 1], values[common::random_at(1, i) % i]);
    }
    const auto height = static_cast<int>(pixels / width);
    return cv::Mat(height, width, CV_8UC1, values.data()).clone();
}

/// A picture in which every value but the last is half-way between two whole numbers: with k pixels
/// of level 1, 2k of each brighter level and k more of the last, (cdf - cdf_min) * 255 / (N -
/// cdf_min) is level - 1/2. It is 15 wide.
inline cv::Mat ties(int k) {
    gold::Counts counts{};
    counts.fill(2 * k);
    counts[0] = 15;
    counts[1] = k;
    counts[255] = 3 * k;
    return with_counts(counts, 15);
}
