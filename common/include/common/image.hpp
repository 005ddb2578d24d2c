#pragma once

#include <cstdint>
#include <filesystem>
#include <opencv2/core.hpp>
#include <string>
#include <string_view>

namespace common {

/// Where an input image comes from: a file, or a scene made here.
struct ImageSource {
    std::string text;   ///< as given: "photo.jpg", "scene:landscape:640x480", "random:640x480:7"
    std::string scene;  ///< empty for a file
    int width = 0;      ///< of a scene
    int height = 0;
    std::uint64_t seed = 1;

    bool operator==(const ImageSource&) const = default;
};

/// Parses the INPUT of the command line; `seed` is used where the text names none. Throws BadUsage.
ImageSource parse_source(std::string_view text, std::uint64_t seed = 1);

/// Loads or makes the image: 8-bit, 1 or 3 (BGR) channels; scenes have 3. A 16-bit file is scaled
/// by 255/65535 and rounded, alpha is dropped, each with a note on stderr. Throws BadUsage for a
/// file that is missing, empty, truncated or no image.
cv::Mat load_image(const ImageSource& source);

/// Throws BadUsage unless `path` has an image format's extension that OpenCV writes and its folder
/// exists and may be written to. Meant to be called before the work, so that none is lost.
void check_writable(const std::filesystem::path& path);

/// Writes the image, complete or not at all: it is written beside `path` and then renamed. Throws
/// Failed if that does not succeed (a full disk, say).
void write_image(const std::filesystem::path& path, const cv::Mat& image);

/// Throws Failed, with both numbers, if the machine does not have `bytes` of memory free.
void require_host_memory(std::uint64_t bytes, std::string_view what);

}  // namespace common
