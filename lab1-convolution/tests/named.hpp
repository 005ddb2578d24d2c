#pragma once

#include <string>
#include <vector>

#include "mutant.hpp"

namespace mistakes {

inline const std::string problem = "lab1-convolution/README.md, \"The problem\": ";
inline const std::string formula =
    problem +
    "out(x, y, c) = clamp( sum over i, j in [-k, k] of I(x+j, y+i, c) * K[i+k][j+k],  0, "
    "255 )";
inline const std::string border = problem + "Taps outside the image are left out.";
inline const std::string truncation = problem + "converted to 8 bits by truncation";
inline const std::string not_flipped = problem + "The mask is not flipped";

/// Rules with the name of the mistake, and the passage of the handout that they break.
struct Named {
    std::string name;
    Rules rules;
    std::string passage = formula;
};

std::vector<Named> weight_mistakes();
std::vector<Named> window_mistakes(int k);

}  // namespace mistakes
