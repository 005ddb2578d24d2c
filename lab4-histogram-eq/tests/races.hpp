#pragma once

#include <string>
#include <vector>

#include "harness/testing_races.hpp"
#include "problem/variant.hpp"

// The call that harness/testing/races_main.cpp makes under ThreadSanitizer.
namespace races {

inline constexpr int team = 4;

inline const char* input() {
    return "1200x900";
}

inline bool run(const std::string& name) {
    using namespace equalize;
    const Variant* variant = harness::registered_variant<Register>(name);
    if (variant == nullptr || variant->host == nullptr) return false;
    constexpr int width = 1200, height = 900;
    std::vector<std::uint8_t> in = harness::bytes_for_races(width * height);
    std::vector<std::uint8_t> out(in.size());
    Options options;
    options.threads = team;
    variant->host({in.data(), width, height, 1, width}, {out.data(), width, height, 1, width},
                  options);
    return true;
}

}  // namespace races
