#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/options.hpp"
#include "mutant.hpp"

namespace mistakes {

inline const std::string problem = "lab4-histogram-eq/README.md, \"The problem\": ";
inline const std::string hist = problem + "hist[i] number of pixels of level i";
inline const std::string cdf_line = problem + "cdf[i] hist[0] + hist[1] + … + hist[i]";

struct Named {
    std::string name;
    std::string passage;
    Rules rules;
};

/// Mistakes in the histogram: pixels that are counted several times, or not at all.
std::vector<Named> counting_mistakes(std::optional<common::Block> block);

/// Mistakes that count other levels: the padding after a row, or two layouts of several histograms.
std::vector<Named> layout_mistakes(std::optional<common::Block> block);

}  // namespace mistakes
