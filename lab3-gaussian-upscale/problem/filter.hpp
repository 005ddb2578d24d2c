#pragma once

#include <opencv2/core.hpp>
#include <string>

#include "options.hpp"

namespace upscale {

/// A method with its parameters, as the user gave them.
struct Filter {
    Method method = Method::gauss;
    bool automatic = false;  ///< the content of the image chooses the method, or has chosen it
    int radius = 2;          ///< of the Gaussian
    double sigma = 0.36;     ///< of the Gaussian, in source pixels; the best in `quality`
    const Network* network = nullptr;  ///< of the method `learned`; null: the default one

    /// The weights of the taps; those of `learned` are the bicubic ones.

    Weights weights() const;

    /// The options that a variant gets.
    Options options(const common::RunOptions& run = {}) const;

    /// The same with the method that suits the image, if `automatic`.
    Filter chosen_for(const cv::Mat& image) const;

    /// "method=gauss;radius=2;sigma=0.36", as in the CSV.
    std::string parameters() const;
};

/// "gauss", …, as on the command line.
std::string name_of(Method method);

/// The method of that name, "auto" excluded. Throws std::out_of_range.
Method method_named(const std::string& name);

}  // namespace upscale
