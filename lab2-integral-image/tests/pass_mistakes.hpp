#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "harness/testing_scan.hpp"

// Integral images in two passes, over the rows and over the columns.
namespace mistakes {

inline const std::string problem = "lab2-integral-image/README.md, \"The problem\": ";
inline const std::string definition =
    problem + "S(x, y) = sum of I(i, j) over all i <= x and j <= y";

using Values = std::vector<std::int64_t>;

/// A pass: the scan of each line, and what goes wrong between lines.
struct Pass {
    harness::ScanRules scan{};
    int goes_on_in = 0;    ///< parts, one per thread: a line's sum goes on in the part's next line
    int left_out = 0;      ///< the last (number of lines) % left_out lines are not scanned
    int other_number = 0;  ///< as many lines as a line is long, rounded up to this, are scanned
    bool other_length = false;  ///< a line is scanned up to the number of lines
};

struct NamedPass {
    std::string name;
    Pass pass;
};

/// Mistakes in a pass over lines, which are rows or columns.
std::vector<NamedPass> wrong_passes();

/// A pass over the rows, then one over the columns. `type` is that of the sums.
cv::Mat two_passes(const cv::Mat& image, int type, const Pass& rows, const Pass& columns);

/// Sets a sum, which may wrap around.
void set(cv::Mat& sums, int x, int y, std::int64_t value);

}  // namespace mistakes
