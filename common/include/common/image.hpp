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
    int max_value = 255;  ///< of `random`, in labs whose pixels are wider than a byte

    bool operator==(const ImageSource&) const = default;
};

/// Parses the INPUT of the command line; `seed` is used where the text names none. Throws BadUsage.
ImageSource parse_source(std::string_view text, std::uint64_t seed = 1);

/// Loads or makes the image: 8-bit, 1 or 3 (BGR) channels; scenes have 3. A 16-bit file is scaled
/// by 255/65535 and rounded, alpha is dropped, each with a note on stderr. Throws BadUsage for a
/// file that is missing, empty, truncated or no image.
cv::Mat load_image(const ImageSource& source);

/// Throws BadUsage unless `path` has the extension of an image format that OpenCV writes, and as
/// check_writable does.
void check_writable_image(const std::filesystem::path& path);

/// Writes the image as write_file does. Throws Failed if the format cannot hold it.
void write_image(const std::filesystem::path& path, const cv::Mat& image);

/// Throws Failed, with both numbers, if the machine does not have `bytes` of memory free.
void require_host_memory(std::uint64_t bytes, std::string_view what);

}  // namespace common
