#pragma once

#include <string>

// The call that harness/testing/races_main.cpp makes in these tests, in place of a variant.
namespace races {

inline constexpr int team = 4;

inline const char* input() {
    return "an array";
}

/// Runs the construct of that name (constructs.cpp); false if there is none.
bool run(const std::string& name);

/// The same for the programs of shares.cpp.
bool run_share(const std::string& name);

}  // namespace races
