#pragma once

// Runs the program that looks for data races (testing/races_main.cpp).

#include <filesystem>
#include <string>

namespace harness {

/// The result of the program. `text` is the message of a race, or the reason of the last three.
struct RaceCheck {
    enum class Result {
        no_race,
        race,
        failed,       ///< the variant ended the program
        not_checked,  ///< the program cannot run here, or the variant refuses the input
        not_done,     ///< the variant is a task that is not begun
    };
    Result result;
    std::string text{};
};

RaceCheck run_race_program(const std::filesystem::path& program, const std::string& variant);

}  // namespace harness
