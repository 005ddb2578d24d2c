#pragma once

#include <string>
#include <vector>

#include "mutant.hpp"

namespace mistakes {

inline const std::string problem = "lab3-gaussian-upscale/README.md, \"The problem\": ";
inline const std::string phase = problem + "d = k + 0.25 if X is even d = k - 0.25 if X is odd";
inline const std::string centre =
    problem + "The source pixel that contains it is `c = X / 2` (rounded down).";
inline const std::string bell = problem + "w(dx, dy) = exp( -(dx^2 + dy^2) / (2 sigma^2) )";
inline const std::string mean = problem + "P = sum of w * I / sum of w";
inline const std::string border = problem + "coordinates clamped to the image";
inline const std::string rounding = problem + "rounded to nearest";
inline const std::string clamping = problem + "rounded to nearest and clamped to 0..255";

/// Rules with the name of the mistake, and the passage of the handout that they break.
struct Named {
    std::string name;
    std::string passage;
    Rules rules;
};

/// Mistakes in the sum and its conversion, in coordinates and in channels. Without a clamp of sums
/// that cannot leave 0..255, nothing changes.
std::vector<Named> value_mistakes(bool leaves_bytes);

/// Pixels outside the image with the value of one channel.
std::vector<Named> border_channel_mistakes();

}  // namespace mistakes
