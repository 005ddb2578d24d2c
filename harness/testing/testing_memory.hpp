#pragma once

// Mistakes that the bytes in and around an output show: written beside it, never written, or added
// to what was there.

#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/options.hpp"
#include "testing_calls.hpp"

namespace harness {

using namespace common;

/// As first_damage, for the output `out` that lies at `inside` of `memory`, with the mistake, if it
/// is clear. `is_right` compares an output with the definition.
std::string damage_of_output(const cv::Mat& memory, const cv::Rect& inside, const cv::Mat& out,
                             const std::function<bool(const cv::Mat&)>& is_right);

/// Says from two calls on the same image whether values are never written, or added to the garbage
/// in the output; or "". `in` is the size of the image.
std::string garbage_in(const Outcome& first, const Outcome& last, std::optional<Block> block,
                       cv::Size in);

/// "rows 0 to 7", for the values of an image that are set; "" if none is.
std::string place_of_values(int width, int height, int channels, std::vector<bool> where);

/// True if the first wrong value is what the output held before, in both calls.
bool is_untouched(const Outcome& first, const Outcome& last, const Verdict& verdict);

}  // namespace harness
