#pragma once

#include <opencv2/core.hpp>
#include <string>

#include "options.hpp"

namespace upscale {

/// What is asked of the variants: a method with its parameters.
struct Filter {
    Method method = Method::gauss;
    bool automatic = false;  ///< the method is to be chosen, or has been, by the picture
    int radius = 2;          ///< of the Gaussian
    double sigma = 0.36;     ///< of the Gaussian, in source pixels; the best in `quality`

    Weights weights() const;

    /// The same with the method that suits the picture, if that is wanted.
    Filter chosen_for(const cv::Mat& image) const;

    /// "method=gauss;radius=2;sigma=0.36", as in the CSV.
    std::string parameters() const;
};

/// "gauss", …, as on the command line.
std::string name_of(Method method);

/// The method of that name. "auto" is none. Throws std::out_of_range.
Method method_called(const std::string& name);

}  // namespace upscale
