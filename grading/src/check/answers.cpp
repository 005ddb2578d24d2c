#include "check/answers.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "common/error.hpp"
#include "report/answers.hpp"
#include "sandbox/process.hpp"

namespace grading {

Answers read_answers(const std::string& content, const std::filesystem::path& key) {
    std::istringstream given(content);
    std::ifstream right(key);
    return {harness::summary::read_values(given), harness::summary::read_values(right)};
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
    const std::string number = printable(given->second, 40);
    item.by_hand = answers.key.empty();
    if (item.by_hand) {
        item.text = number;
        return item;
    }
    const auto right = answers.key.find(name);
    if (right == answers.key.end()) {
        throw common::BadUsage(fmt::format("the key has no value for '{}'", name));
    }
    item.passed = harness::summary::is_right(given->second, right->second);
    item.points = item.passed ? item.most : 0;
    item.text = (item.passed ? "" : "not ") + number;
    return item;
}

}  // namespace grading
