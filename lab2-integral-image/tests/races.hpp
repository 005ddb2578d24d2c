#pragma once

#include <string>
#include <vector>

#include "harness/testing_races.hpp"
#include "problem/variant.hpp"

// The call that harness/testing/races_main.cpp makes under ThreadSanitizer.
namespace races {

inline constexpr int team = 4;

inline const char* input() {
    return "40x24 or 1200x600";
}

/// A small image for variants whose work is quadratic.
inline bool run(const std::string& name) {
    using namespace integral;
    const Variant* variant = harness::registered_variant<Register>(name);
    if (variant == nullptr || variant->sums32.host == nullptr) return false;
    const int width = variant->cost == Cost::quadratic ? 40 : 1200;
    const int height = variant->cost == Cost::quadratic ? 24 : 600;
    const std::vector<std::uint8_t> bytes = harness::bytes_for_races(width * height);
    std::vector<Pixel> in(bytes.begin(), bytes.end());
    std::vector<Sum32> sums(in.size());
    Options options;
    options.threads = team;
    options.inner_threads = 2;
    variant->sums32.host({in.data(), width, height, 1, width},
                         {sums.data(), width, height, 1, width}, options);
    return true;
}

}  // namespace races
