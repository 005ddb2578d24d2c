#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <optional>

#include "harness/testing.hpp"
#include "harness/testing_scan.hpp"
#include "problem/oracle.hpp"

// The definition with one thing changed, as a student's mistake would change it.
namespace mistakes {

using equalize::oracle::Table;
using harness::ScanRules;

/// The definition. A mistake changes one member.
struct Rules {
    /// How often a pixel is counted; once if it is empty.
    std::function<int(const cv::Mat& image, int x, int y)> counts{};
    /// The pixels that are counted; those of the image if it is empty.
    std::function<cv::Mat(const cv::Mat& image)> pixels{};
    std::int64_t times = 1;  ///< that each pixel is counted
    int counter_bits = 63;
    int counters = 1;  ///< sets of counters, one per thread, of which each has its part of the rows
    int first_level = 0, last_level = 255;  ///< that are scanned
    ScanRules scan{};
    enum { darkest, first, zero, smallest, level, next } cdf_min = darkest;
    enum { minus_cdf_min, all, all_but_one, other_total } divisor = minus_cdf_min;
    std::int64_t total = 0;  ///< for other_total
    int scale = 255;
    enum { nearest, half_up, down, up, exactly, exactly_half_up } rounding = nearest;
    int bits_of_product = 64;
    /// Integer arithmetic that truncates too early: the quotient count / divisor (`quotient`) or
    /// scale / divisor (`factor`) before the product. `stretches`: levels between the darkest and
    /// the brightest one are spread linearly, without a CDF.
    enum { none, quotient, factor } truncated_first = none;
    bool stretches = false;
    std::function<int(const Table& table, int level)> look_up = [](const Table& table, int index) {
        return table[static_cast<std::size_t>(index)];
    };
};

/// The value of each level that occurs, -1 for others; nothing if a level has several values.
std::optional<Table> table_in(const cv::Mat& image, const cv::Mat& out);

/// The table of a program with these rules that divides last, exactly, and rounds once. A level
/// darker than all pixels becomes 0.
Table exact_table(const equalize::oracle::Counts& counts, const Rules& rules = {});

/// The ways in which a program with these rules gives these values to the levels that occur in the
/// image.
harness::Ways ways(const Table& values, const cv::Mat& image, const Rules& rules);

}  // namespace mistakes
