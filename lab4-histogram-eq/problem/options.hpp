#pragma once

#include <cstdint>

#include "common/options.hpp"

namespace equalize {

inline constexpr int levels = 256;

/// A number of pixels. The lab refuses images of more than 2^31 - 1 pixels: cv::equalizeHist counts
/// in int.
using Count = std::uint32_t;

/// The parameters of a variant.
using Options = common::RunOptions;

}  // namespace equalize
