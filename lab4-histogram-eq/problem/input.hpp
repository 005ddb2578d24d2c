#pragma once

#include <opencv2/core.hpp>

#include "common/variant.hpp"
#include "harness/job.hpp"
#include "harness/source.hpp"

namespace equalize {

/// The way in which a colour picture is equalized.
enum class Colour {
    gray,  ///< converted by cv::cvtColor(BGR2GRAY) first
    luma   ///< only the Y of YCrCb is equalized; the result is a colour picture
};

/// Loads the input; `luma` keeps the colours. `random` is drawn in gray, so that its levels are
/// equally frequent. `skewed` is a scene of this lab: half of the pixels have one level, a quarter
/// the next, and so on.
cv::Mat load_input(const harness::ImageSource& source, Colour colour);

/// Gives a variant the luma of a colour picture, and adds the chroma to the result. A gray picture
/// is its own luma.
harness::Adapter luma_only();

}  // namespace equalize
