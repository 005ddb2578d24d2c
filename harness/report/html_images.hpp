#pragma once

// Image files as parts of a page.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::summary {

struct PageImage {
    std::string name;        ///< of the file, without folder and extension
    std::string heading;     ///< what the figure is called in itself, or else the file's name
    std::string uri{};       ///< "data:image/png;base64,..."
    bool is_figure = false;  ///< drawn of lines (SVG), for any size
};

/// The image files of a folder that a browser can show, by name, but NAME-before in front of
/// NAME-after. Incomplete figures of a stopped run are left out.
std::vector<PageImage> read_images(const std::filesystem::path& folder);

std::string base64(std::string_view bytes);

}  // namespace harness::summary
