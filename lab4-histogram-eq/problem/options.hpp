#pragma once

#include <cstdint>

#include "common/options.hpp"

namespace equalize {

inline constexpr int levels = 256;

/// How many pixels have a level, or have it or a darker one. Images of more pixels than cv::Mat's
/// own counts can tell, 2^31 - 1, are refused before the work starts.
using Count = std::uint32_t;

/// What a variant is told besides the image.
using Options = common::RunOptions;

}  // namespace equalize
