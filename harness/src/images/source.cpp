#include "harness/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "common/error.hpp"
#include "common/image.hpp"
#include "control_group.hpp"
#include "harness/scenes.hpp"

namespace harness {

using namespace common;
namespace {

template <class Number>
bool parse_number(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

bool parse_size(std::string_view text, ImageSource& source) {
    const auto cross = text.find('x');
    return cross != std::string_view::npos && parse_number(text.substr(0, cross), source.width) &&
           parse_number(text.substr(cross + 1), source.height) && source.width > 0 &&
           source.height > 0;
}

std::uint64_t memory_of_machine() {
    std::ifstream in("/proc/meminfo");
    std::string key;
    for (std::uint64_t kib = 0; in >> key >> kib; in.ignore(256, '\n')) {
        if (key == "MemAvailable:") return kib * 1024;
    }
    return UINT64_MAX;  // unknown: let the allocation decide
}

std::uint64_t available_memory() {
    const std::uint64_t free = memory_of_machine();
    return std::min(free, control_group_limits().free_memory.value_or(free));
}

}  // namespace

ImageSource parse_source(std::string_view text, std::uint64_t seed) {
    ImageSource source{
        .text = std::string(text), .scene = {}, .width = 0, .height = 0, .seed = seed};
    if (text.starts_with("random:")) {
        source.scene = "random";
        auto rest = text.substr(7);
        const auto colon = rest.find(':');
        const bool good =
            parse_size(rest.substr(0, colon), source) &&
            (colon == std::string_view::npos || parse_number(rest.substr(colon + 1), source.seed));
        if (!good) {
            throw BadUsage(
                fmt::format("'{}': expected random:WIDTHxHEIGHT or "
                            "random:WIDTHxHEIGHT:SEED, sizes from 1x1",
                            text));
        }
    } else if (text.starts_with("scene:")) {
        auto rest = text.substr(6);
        const auto colon = rest.find(':');
        source.scene = rest.substr(0, colon);
        const auto names = scene_names();
        if (std::find(names.begin(), names.end(), source.scene) == names.end()) {
            throw BadUsage(fmt::format("'{}': unknown scene '{}'; there are: {}", text,
                                       source.scene, fmt::join(names, ", ")));
        }
        if (colon == std::string_view::npos || !parse_size(rest.substr(colon + 1), source)) {
            throw BadUsage(fmt::format("'{}': expected scene:{}:WIDTHxHEIGHT, sizes from 1x1", text,
                                       source.scene));
        }
    }
    return source;
}

cv::Mat load_source(const ImageSource& source) {
    if (source.scene.empty()) return load_image(std::filesystem::path(source.text));
    return make_scene(source.scene, source.width, source.height, 3, source.seed);
}

void require_host_memory(std::uint64_t bytes, std::string_view what) {
    const std::uint64_t available = available_memory();
    if (bytes > available) {
        throw Failed(
            fmt::format("{} needs {} bytes of memory; {} are available", what, bytes, available));
    }
}

}  // namespace harness
