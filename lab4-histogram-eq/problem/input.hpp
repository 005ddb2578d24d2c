#pragma once

#include <opencv2/core.hpp>

#include "common/variant.hpp"
#include "harness/job.hpp"
#include "harness/source.hpp"

namespace equalize {

/// What becomes of the colours of a picture.
enum class Colour {
    gray,  ///< made gray as cv::cvtColor(BGR2GRAY) does
    luma   ///< only the Y of YCrCb is equalized; the result is a colour picture
};

/// The lab's input: gray, or a colour picture if it is to keep its colours. `random` is gray from
/// the start, so that its levels are equally frequent; `skewed` is a scene of this lab, in which
/// half of the pixels have one level, a quarter the next, and so on.
cv::Mat load_input(const common::ImageSource& source, Colour colour);

/// How a colour picture gets through a variant, which takes gray ones: its luma goes in, and the
/// chroma is put beside what comes out. A gray picture is its own luma.
common::Adapter luma_only();

}  // namespace equalize
