#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace common {

bool is_jpeg(const std::vector<uchar>& bytes);

/// True for a JPEG file that ends before its picture's end marker. The decoder fills what is
/// missing with gray and succeeds. Segments are skipped by their lengths, because an EXIF thumbnail
/// is a JPEG file inside one and has an end marker of its own.
bool is_cut_jpeg(const std::vector<uchar>& bytes);

}  // namespace common
