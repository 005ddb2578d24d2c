#pragma once

// The calls that decide whether a variant is right.

#include <opencv2/core.hpp>
#include <string>

#include "harness/testing.hpp"

namespace harness {

/// The result of one call.
struct Outcome {
    cv::Mat out;
    unsigned char fill = 0;  ///< every byte of the output before the call
    std::string damage{};    ///< "it writes outside the output, …", or ""
};

/// The result of all calls on an input.
struct Finding {
    bool wrong = false;
    cv::Mat in{};  ///< of the call that is wrong, or of the first one
    cv::Mat out{};
    Verdict verdict{};
    std::string call{};      ///< "in call 2, …: ", or "" for the first
    std::string cause{};     ///< what the bytes before and after the calls show, or ""
    bool unwritten = false;  ///< the first wrong value is what the output held before the call

    /// The first wrong value and the number of wrong ones.
    std::string text() const;
};

Finding examine(const VariantCall& variant_call);

/// An image of other pixels in the same range.
cv::Mat other_image(const cv::Mat& image);

/// Images of the size of `image` on which mistakes differ: other pixels, one bright pixel, two
/// levels, one level.
std::vector<cv::Mat> others_like(const cv::Mat& image);

/// The same call on an image of another size.
VariantCall call_on(const cv::Mat& image, VariantCall variant_call);

/// The finding of a first call on `image`.
Finding examine_once(const VariantCall& variant_call, const cv::Mat& image);

/// Says that the output of a variant on the CPU depends on the bytes around its input, or "".
std::string reads_outside(const VariantCall& variant_call, const cv::Mat& image);

}  // namespace harness
