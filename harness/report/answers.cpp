#include "answers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "common/error.hpp"

namespace harness::summary {

using namespace common;
namespace {

constexpr double tolerance = 0.01;

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// All of the text as a number.
std::optional<double> number(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::map<std::string, std::string> read_values(std::istream& in) {
    std::map<std::string, std::string> values;
    for (std::string line; std::getline(in, line);) {
        line = line.substr(0, line.find('#'));
        const auto equals = line.find('=');
        if (equals == std::string::npos) continue;
        values[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
    }
    return values;
}

bool is_right(const std::string& answer, const std::string& right) {
    const auto dots = right.find("..");
    const auto low = number(trimmed(right.substr(0, dots)));
    const auto high = dots == std::string::npos ? low : number(trimmed(right.substr(dots + 2)));
    if (!low || !high) throw BadUsage(fmt::format("key: '{}' is no number or low..high", right));
    const double slack = dots == std::string::npos ? tolerance * std::abs(*low) : 0;
    const auto value = number(answer);
    return value && *value >= *low - slack && *value <= *high + slack;
}

}  // namespace harness::summary
