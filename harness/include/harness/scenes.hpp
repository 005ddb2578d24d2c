#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <span>
#include <string_view>

namespace harness {

/// Names of all synthetic pictures:
/// - `random` independent bytes, `gradient`, `checker`, `constant`, `two-level`;
/// - `landscape`, a photo-like picture with smooth areas, edges and texture;
/// - tonal versions of it: `low-contrast`, `dark-interior`, `foggy`, `overexposed`,
///   `underexposed`.
std::span<const std::string_view> scene_names();

/// True if another seed gives another picture.
bool has_seed(std::string_view scene);

/// The scene as an 8-bit image of 1 or 3 (BGR) channels. Integer arithmetic only: the same bytes
/// on every platform for the same arguments. Throws BadUsage for an unknown name or a size that is
/// not positive, Failed if the machine does not have the memory.
cv::Mat make_scene(std::string_view name, int width, int height, int channels,
                   std::uint64_t seed = 1);

}  // namespace harness
