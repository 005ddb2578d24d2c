#include "html_images.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <pugixml.hpp>

namespace harness::summary {
namespace {

namespace fs = std::filesystem;

std::string read_bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The topmost text is the figure's title; gnuplot's <title> is only the file's name.
std::string heading_of(const pugi::xml_document& svg) {
    static const pugi::xpath_query words("normalize-space(.)");
    std::string heading;
    double highest = std::numeric_limits<double>::infinity();
    for (const pugi::xpath_node& text : svg.select_nodes("//text")) {
        double y = 0;
        const char* place = text.parent().attribute("transform").value();
        if (std::sscanf(place, "translate(%*f,%lf)", &y) != 1 || y >= highest) continue;
        highest = y;
        heading = words.evaluate_string(text);
    }
    return heading;
}

std::optional<PageImage> read_image(const fs::path& path) {
    static const std::map<std::string, std::string> types{
        {".jpg", "image/jpeg"}, {".png", "image/png"}, {".svg", "image/svg+xml"}};
    const auto type = types.find(path.extension());
    if (type == types.end()) return std::nullopt;
    const std::string bytes = read_bytes(path);
    PageImage image{
        .name = path.stem(), .heading = path.stem(), .is_figure = type->first == ".svg"};
    if (image.name == "before-after") image.heading = "Before and after";
    if (image.is_figure) {
        pugi::xml_document svg;
        if (!svg.load_buffer(bytes.data(), bytes.size())) return std::nullopt;
        if (const auto heading = heading_of(svg); !heading.empty()) image.heading = heading;
    }
    image.uri = "data:" + type->second + ";base64," + base64(bytes);
    return image;
}

/// The sort key of a name: without "before", so that it precedes "after".
std::string place_by_name(const PageImage& image) {
    constexpr std::string_view first = "before";
    std::string place = image.name;
    if (place.ends_with(first)) place.resize(place.size() - first.size());
    return place;
}

}  // namespace

std::vector<PageImage> read_images(const fs::path& folder) {
    std::vector<PageImage> images;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (auto image = read_image(entry.path())) images.push_back(std::move(*image));
    }
    std::ranges::sort(images, {}, place_by_name);
    return images;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;  // three bytes are four digits of 6 bits
        for (std::size_t k = i; k < i + 3; ++k) {
            bits = bits << 8 | (k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u);
        }
        for (const int shift : {18, 12, 6, 0}) text += digits[bits >> shift & 63];
    }
    const std::size_t padding = (3 - bytes.size() % 3) % 3;
    return text.replace(text.size() - padding, padding, padding, '=');
}

}  // namespace harness::summary
