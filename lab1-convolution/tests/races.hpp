#pragma once

#include <string>
#include <vector>

#include "harness/testing_races.hpp"
#include "problem/variant.hpp"

// The call that harness/testing/races_main.cpp makes under ThreadSanitizer.
namespace races {

inline constexpr int team = 4;

inline const char* input() {
    return "323x203x3";
}

/// An asymmetric mask, and an image whose rows the threads do not share evenly.
inline bool run(const std::string& name) {
    using namespace convolution;
    const Variant* variant = harness::registered_variant<Register>(name);
    if (variant == nullptr || variant->host == nullptr) return false;
    constexpr int width = 323, height = 203, channels = 3;
    std::vector<std::uint8_t> in = harness::bytes_for_races(width * height * channels);
    const bool is_task = name == "omp_rows" || name == "omp_strips";  // threads share the output
    Options options;
    options.threads = team;
    options.mask.size = 5;
    for (int i = 0; i < 25; ++i) options.mask.weights[i] = static_cast<float>(3 * i - 20) / 256;
    constexpr std::size_t row = width * channels;
    harness::make_calls({height, row, 1}, is_task, [&](std::byte* out, std::ptrdiff_t pitch) {
        variant->host({in.data(), width, height, channels, row},
                      {reinterpret_cast<std::uint8_t*>(out), width, height, channels, pitch},
                      options);
    });
    return true;
}

}  // namespace races
