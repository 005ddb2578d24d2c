#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <string>
#include <string_view>

namespace harness {

/// The source of an input image: a file or a synthetic scene.
struct ImageSource {
    std::string text;   ///< as given: "photo.jpg", "scene:landscape:640x480", "random:640x480:7"
    std::string scene;  ///< empty for a file
    int width = 0;      ///< of a scene
    int height = 0;
    std::uint64_t seed = 1;
    int max_value = 255;  ///< of `random`, in labs whose pixels have more than 8 bits

    bool operator==(const ImageSource&) const = default;
};

/// Parses the INPUT of the command line; `seed` applies if the text has none. Throws BadUsage.
ImageSource parse_source(std::string_view text, std::uint64_t seed = 1);

/// Loads the file as load_image does, or makes the scene, with 3 channels.
cv::Mat load_source(const ImageSource& source);

/// Throws Failed, with both numbers, if the machine does not have `bytes` of memory free.
void require_host_memory(std::uint64_t bytes, std::string_view what);

}  // namespace harness
