#pragma once

#include <string>
#include <utility>

#include "gold.hpp"
#include "harness/testing.hpp"
#include "problem/filter.hpp"

// Brings a variant, an image and a filter together for common::judge.

inline upscale::Filter filter_for(const gold::Filter& wanted) {
    upscale::Filter filter;
    filter.radius = wanted.radius;
    filter.sigma = wanted.sigma;
    switch (wanted.kernel) {
        case gold::Kernel::gauss:
            filter.method = upscale::Method::gauss;
            break;
        case gold::Kernel::bicubic:
            filter.method = upscale::Method::bicubic;
            break;
        case gold::Kernel::lagrange:
            filter.method = upscale::Method::lagrange;
            break;
        case gold::Kernel::bilinear:
            filter.method = upscale::Method::bilinear;
            break;
        case gold::Kernel::lanczos:
            filter.method = upscale::Method::lanczos;
            break;
    }
    return filter;
}

inline upscale::Options options_for(const gold::Filter& wanted, common::RunOptions run = {}) {
    const upscale::Filter filter = filter_for(wanted);
    upscale::Options options{run};
    options.method = filter.method;
    options.weights = filter.weights();
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
            .definition = [filter](const cv::Mat& in) { return gold::check(in, filter); },
            .border = 2 * filter.radius,
            .parameters = parameters,
            .suspicions = [=] { return gold::suspicions(image, filter, block); }};
}
