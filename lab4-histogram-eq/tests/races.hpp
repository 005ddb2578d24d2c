#pragma once

#include <string>
#include <vector>

#include "harness/testing_races.hpp"
#include "problem/variant.hpp"

// The call that harness/testing/races_main.cpp makes under ThreadSanitizer.
namespace races {

inline constexpr int team = 4;

inline const char* input() {
    return "1203x903";
}

/// The threads do not share the rows evenly.
inline bool run(const std::string& name) {
    using namespace equalize;
    const Variant* variant = harness::registered_variant<Register>(name);
    if (variant == nullptr || variant->host == nullptr) return false;
    constexpr int width = 1203, height = 903;
    std::vector<std::uint8_t> in = harness::bytes_for_races(width * height);
    const bool is_task = name == "omp_rows" || name == "omp_tables";  // threads share the output
    Options options;
    options.threads = team;
    harness::make_calls({height, width, 1}, is_task, [&](std::byte* out, std::ptrdiff_t pitch) {
        variant->host({in.data(), width, height, 1, width},
                      {reinterpret_cast<std::uint8_t*>(out), width, height, 1, pitch}, options);
    });
    return true;
}

}  // namespace races
