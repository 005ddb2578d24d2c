#include "harness/job.hpp"

#include <fmt/format.h>

#include <vector>

#include "common/error.hpp"
#include "harness/device.hpp"

namespace harness {

using namespace common;

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

std::optional<std::string> why_unavailable(const VariantInfo& variant) {
    if (!variant.not_built.empty()) return variant.not_built;
    if (variant.on_device && !device_facts().usable()) return device_facts().why_unusable;
    return std::nullopt;
}

bool is_emulated(const VariantInfo& variant) {
    return variant.on_device && device_facts().emulated;
}

std::optional<std::string> emulated_fault(std::string_view message) {
    constexpr std::string_view mark = "WRONG (found by the emulation): ";
    const auto start = message.find(mark);
    if (start == std::string_view::npos) return std::nullopt;
    return std::string(message.substr(start + mark.size()));
}

const VariantInfo& find_variant(std::span<const VariantInfo> variants, std::string_view name) {
    std::string names;
    for (const VariantInfo& variant : variants) {
        if (variant.name == name) return variant;
        names += (names.empty() ? "" : ", ") + variant.name;
    }
    throw BadUsage(fmt::format("unknown variant '{}'; there are: {}", name, names));
}

}  // namespace harness
