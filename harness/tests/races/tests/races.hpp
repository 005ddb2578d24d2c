#pragma once

#include <string>

// What harness/testing/races_main.cpp runs here in place of a variant.
namespace races {

inline constexpr int team = 4;

inline const char* input() {
    return "an array";
}

/// Runs the construct of that name (constructs.cpp); false if there is none.
bool run(const std::string& name);

}  // namespace races
