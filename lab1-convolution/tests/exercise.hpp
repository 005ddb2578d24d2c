#pragma once

#include <string>

#include "gold.hpp"
#include "harness/testing.hpp"
#include "problem/variant.hpp"

// Brings a variant, an image and a mask together for common::judge.

inline gold::Weights weights_of(const convolution::Mask& mask) {
    gold::Weights weights(mask.size, mask.size);
    for (int i = 0; i < mask.size; ++i) {
        for (int j = 0; j < mask.size; ++j) {
            weights(i, j) = static_cast<double>(mask.weights[i * mask.size + j]);
        }
    }
    return weights;
}

inline common::Exercise exercise_for(const common::VariantInfo& info, common::Job job,
                                     const cv::Mat& image, const convolution::Mask& mask,
                                     const std::string& parameters) {
    const gold::Weights weights = weights_of(mask);
    return {.variant = info,
            .job = std::move(job),
            .in = image,
            .out = common::Shape::of(image),
            .definition = [weights](const cv::Mat& in) { return gold::check(in, weights); },
            .border = mask.size / 2,
            .parameters = parameters,
            .suspicions = [image, weights] { return gold::suspicions(image, weights); }};
}
