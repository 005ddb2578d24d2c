#pragma once

#include <string>
#include <vector>

#include "harness/testing_races.hpp"
#include "problem/variant.hpp"

// The call that harness/testing/races_main.cpp makes under ThreadSanitizer.
namespace races {

inline constexpr int team = 4;

inline const char* input() {
    return "43x27 or 1203x603";
}

/// A small image for variants whose work is quadratic. Threads do not share its rows evenly.
inline bool run(const std::string& name) {
    using namespace integral;
    const Variant* variant = harness::registered_variant<Register>(name);
    if (variant == nullptr || variant->sums32.host == nullptr) return false;
    const int width = variant->cost == Cost::quadratic ? 43 : 1203;
    const int height = variant->cost == Cost::quadratic ? 27 : 603;
    const std::vector<std::uint8_t> bytes = harness::bytes_for_races(width * height);
    std::vector<Pixel> in(bytes.begin(), bytes.end());
    const bool is_task =
        name == "omp_outer" || name == "omp_two_passes";  // threads share the output
    Options options;
    options.threads = team;
    options.inner_threads = 2;
    const harness::OutputSize output{static_cast<std::size_t>(height), sizeof(Sum32) * width,
                                     sizeof(Sum32)};
    harness::make_calls(output, is_task, [&](std::byte* out, std::ptrdiff_t pitch) {
        constexpr auto sum_bytes = static_cast<std::ptrdiff_t>(sizeof(Sum32));
        variant->sums32.host({in.data(), width, height, 1, width},
                             {reinterpret_cast<Sum32*>(out), width, height, 1, pitch / sum_bytes},
                             options);
    });
    return true;
}

}  // namespace races
