#pragma once

#include <string>
#include <vector>

#include "harness/testing_races.hpp"
#include "problem/network.hpp"
#include "problem/variant.hpp"

// The call that harness/testing/races_main.cpp makes under ThreadSanitizer.
namespace races {

inline constexpr int team = 4;

inline const char* input() {
    return "243x163x3";
}

/// The threads do not share the rows evenly: with equal shares of the input's and of the output's
/// rows, a thread reads no row of another one, and a missing barrier causes no race.
inline bool run(const std::string& name) {
    using namespace upscale;
    const Variant* variant = harness::registered_variant<Register>(name);
    if (variant == nullptr || variant->host == nullptr) return false;
    constexpr int width = 243, height = 163, channels = 3;
    std::vector<std::uint8_t> in = harness::bytes_for_races(width * height * channels);
    const bool is_task =
        name == "omp_pixels" || name == "omp_separable";  // threads share the output
    Options options;
    options.threads = team;
    options.weights = gaussian_weights(2, 0.6);
    options.sigma = 0.6f;
    static const Network zeros{};
    if (variant->learned) {
        options.method = Method::learned;
        options.network = &zeros;
    }
    harness::make_calls(
        {2 * height, 2 * width * channels, 1}, is_task, [&](std::byte* out, std::ptrdiff_t pitch) {
            variant->host(
                {in.data(), width, height, channels, width * channels},
                {reinterpret_cast<std::uint8_t*>(out), 2 * width, 2 * height, channels, pitch},
                options);
        });
    return true;
}

}  // namespace races
