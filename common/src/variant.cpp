#include "common/variant.hpp"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "common/device.hpp"
#include "common/error.hpp"

namespace common {

std::string_view to_string(Backend backend) {
    switch (backend) {
        case Backend::seq:
            return "seq";
        case Backend::omp:
            return "omp";
        case Backend::cuda:
            return "cuda";
        case Backend::peer:
            return "peer";
    }
    return "?";
}

std::string to_string(Block block) {
    return std::to_string(block.width) + "x" + std::to_string(block.height);
}

Block parse_block(std::string_view text) {
    Block block{0, 0};
    const char* end = text.data() + text.size();
    const auto [cross, error] = std::from_chars(text.data(), end, block.width);
    const bool has_cross = error == std::errc{} && cross != end && *cross == 'x';
    const auto last = has_cross ? std::from_chars(cross + 1, end, block.height)
                                : std::from_chars_result{text.data(), std::errc::invalid_argument};
    // 1024 is the most threads that a block may have on any NVIDIA GPU to date.
    if (last.ec != std::errc{} || last.ptr != end || block.width < 1 || block.height < 1 ||
        block.width > 1024 || block.height > 1024 || block.threads() > 1024) {
        throw BadUsage(fmt::format(
            "--block '{}': expected WIDTHxHEIGHT with 1 to 1024 threads in all, like 32x8", text));
    }
    return block;
}

std::optional<std::string> why_unavailable(const VariantInfo& variant) {
    if (!variant.not_built.empty()) return variant.not_built;
    if (variant.on_device && !device_facts().usable()) return device_facts().why_unusable;
    return std::nullopt;
}

bool is_emulated(const VariantInfo& variant) {
    return variant.on_device && device_facts().emulated;
}

const VariantInfo& find_variant(std::span<const VariantInfo> variants, std::string_view name) {
    std::string names;
    for (const VariantInfo& variant : variants) {
        if (variant.name == name) return variant;
        names += (names.empty() ? "" : ", ") + variant.name;
    }
    throw BadUsage(fmt::format("unknown variant '{}'; there are: {}", name, names));
}

}  // namespace common
