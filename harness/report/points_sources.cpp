#include "points_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <vector>

#include "common/csv.hpp"
#include "common/error.hpp"
#include "harness/statistics.hpp"

namespace harness::summary {

using namespace common;
namespace {

namespace fs = std::filesystem;

/// A whole field as a number.
std::optional<double> number(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// A row of a variant that was timed.
struct Time {
    std::int64_t values = 0;  ///< of the image
    double ms = 0;
    bool noisy = false;
};

/// The rows of a CSV file by the names of their columns.
class Table {
  public:
    explicit Table(const fs::path& path) : rows_(read_csv(path)) {}

    std::vector<Time> times_of(const std::string& variant,
                               const std::map<std::string, std::string>& where) const {
        std::vector<Time> times;
        for (std::size_t i = 1; i < rows_.size(); ++i) {
            if (rows_[i].size() != rows_[0].size() || field(i, "variant") != variant) continue;
            const bool wanted = std::all_of(where.begin(), where.end(), [&](const auto& value) {
                return field(i, value.first) == value.second;
            });
            const auto ms = number(field(i, "kernel_ms_median"));
            if (!wanted || !ms) continue;
            times.push_back({values(i), *ms,
                             too_noisy(number(field(i, "spread")).value_or(0),
                                       number(field(i, "disturbed")).value_or(0))});
        }
        return times;
    }

  private:
    std::vector<std::vector<std::string>> rows_;

    std::string field(std::size_t row, const std::string& column) const {
        const auto found = std::find(rows_[0].begin(), rows_[0].end(), column);
        if (found == rows_[0].end()) return "";
        return rows_[row][static_cast<std::size_t>(found - rows_[0].begin())];
    }

    std::int64_t values(std::size_t row) const {
        double product = 1;
        for (const char* column : {"width", "height", "channels"}) {
            product *= number(field(row, column)).value_or(0);
        }
        return static_cast<std::int64_t>(product);
    }
};

/// The fastest row at an image of this size.
const Time* fastest(const std::vector<Time>& times, std::int64_t values) {
    const Time* best = nullptr;
    for (const Time& time : times) {
        if (time.values == values && (best == nullptr || time.ms < best->ms)) best = &time;
    }
    return best;
}

}  // namespace

Ratio speed_ratio(const fs::path& csv, const std::string& variant, const std::string& against,
                  const std::map<std::string, std::string>& where) {
    if (!fs::exists(csv)) return {.trouble = "not measured"};
    const Table table(csv);
    const auto own = table.times_of(variant, where);
    const auto others = table.times_of(against, where);
    if (own.empty()) return {.trouble = variant + " was not measured"};
    std::int64_t largest = -1;
    for (const Time& time : own) {
        if (fastest(others, time.values) != nullptr) largest = std::max(largest, time.values);
    }
    if (largest < 0) return {.trouble = against + " was not measured beside it"};
    const Time& mine = *fastest(own, largest);
    const Time& other = *fastest(others, largest);
    for (const auto& [time, name] : {std::pair(mine, variant), std::pair(other, against)}) {
        if (!time.noisy) continue;
        return {.trouble = fmt::format("the times of {} are too noisy: measure again while nothing "
                                       "else runs",
                                       name),
                .noisy = true};
    }
    return {.value = other.ms / mine.ms, .trouble = ""};
}

}  // namespace harness::summary
