#include "check/answers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "common/error.hpp"
#include "sandbox/process.hpp"

namespace grading {
namespace {

constexpr double tolerance = 0.01;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

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
        if (line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
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
    if (!low || !high)
        throw common::BadUsage(fmt::format("key: '{}' is no number or low..high", right));
    const double slack = dots == std::string::npos ? tolerance * std::abs(*low) : 0;
    const auto value = number(answer);
    return value && *value >= *low - slack && *value <= *high + slack;
}

Answers read_answers(const std::string& content, const std::filesystem::path& key) {
    std::istringstream given(content);
    std::ifstream right(key);
    return {read_values(given), read_values(right)};
}

Item answer_item(const Answers& answers, const nlohmann::json& rule) {
    Item item{.name = "answer " + rule.at("name").get<std::string>(),
              .most = rule.value("points", 0.0)};
    const std::string name = rule.at("name");
    const auto given = answers.given.find(name);
    if (given == answers.given.end() || given->second.empty() || given->second == "-") {
        item.text = "there is no number in answers.txt";
        return item;
    }
    const std::string said = printable(given->second, 40);
    const bool is_number = number(given->second).has_value();
    const std::string shown =
        is_number ? said : said + " is not a number: use a point and no separators";
    item.by_hand = answers.key.empty();
    if (item.by_hand) {
        item.text = shown;
        return item;
    }
    const auto right = answers.key.find(name);
    if (right == answers.key.end()) {
        throw common::BadUsage(fmt::format("the key has no value for '{}'", name));
    }
    item.passed = is_right(given->second, right->second);
    item.points = item.passed ? item.most : 0;
    item.text = (item.passed || !is_number ? "" : "not ") + shown;
    return item;
}

}  // namespace grading
