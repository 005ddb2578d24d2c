#pragma once

#include <string>
#include <utility>

#include "common/testing.hpp"
#include "gold.hpp"
#include "options.hpp"

// Brings a variant, an image and a filter together for common::judge.

inline upscale::Options options_for(const gold::Filter& filter, common::RunOptions run = {}) {
    upscale::Options options{run};
    options.method = filter.bicubic() ? upscale::Method::bicubic : upscale::Method::gauss;
    options.weights = filter.bicubic() ? upscale::bicubic_weights()
                                       : upscale::gaussian_weights(filter.radius, filter.sigma);
    options.sigma = static_cast<float>(filter.sigma);
    return options;
}

inline common::Exercise exercise_for(const common::VariantInfo& info, common::Job job,
                                     const cv::Mat& image, const gold::Filter& filter,
                                     const std::string& parameters,
                                     std::optional<common::Block> block = std::nullopt) {
    return {.variant = info,
            .job = std::move(job),
            .in = image,
            .out = {2 * image.cols, 2 * image.rows, image.type()},
            .check = gold::check(image, filter),
            .border = 2 * filter.radius,
            .parameters = parameters,
            .suspicions = gold::suspicions(image, filter, block)};
}
