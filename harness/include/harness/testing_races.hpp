#pragma once

// Functions for the race check of every lab.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace harness {

/// The variant of that name in this program, or its only one, which a student's file may have
/// registered under another name; null if there is none.
template <class Register>
auto* registered_variant(const std::string& name) {
    auto& variants = Register::registered();
    const auto found = std::find_if(variants.begin(), variants.end(),
                                    [&](const auto& variant) { return variant.name == name; });
    if (found != variants.end()) return &*found;
    return variants.size() == 1 ? &variants.front() : nullptr;
}

/// Pixels without a pattern.
inline std::vector<std::uint8_t> bytes_for_races(int count) {
    std::vector<std::uint8_t> bytes;
    // Reserve memory behind the end, so that a read there does not touch what another thread
    // writes, and is not reported as a race.
    bytes.reserve(3 * static_cast<std::size_t>(count));
    bytes.resize(static_cast<std::size_t>(count));
    std::uint32_t state = 1;
    for (auto& byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte = static_cast<std::uint8_t>(state >> 24);
    }
    return bytes;
}

/// The size of an output of the check.
struct OutputSize {
    std::size_t rows;
    std::size_t row_bytes;
    std::size_t value_bytes;
};

/// A call of a variant with this output. The pitch is in bytes.
using CallWithOutput = std::function<void(std::byte* out, std::ptrdiff_t pitch)>;

/// Makes the call as it is, for races, and, if the threads have to share the output, once more to
/// see which one writes what (testing/races_share.cpp).
[[gnu::visibility("hidden")]] void make_calls(const OutputSize& output, bool is_shared,
                                              const CallWithOutput& call);

}  // namespace harness
