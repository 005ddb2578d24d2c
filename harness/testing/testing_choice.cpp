#include "testing_choice.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace harness {
namespace {

using Values = std::map<std::string, std::string>;  // by parameter

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// "gauss5" is a word and a number; "32x8" and "0.5" are one value.
void add_parameter(Values& values, const std::string& name, const std::string& value) {
    const bool has_word = !value.empty() && !is_digit(value[0]);
    const auto number = has_word ? value.find_last_not_of("0123456789") + 1 : value.size();
    values[name] = value.substr(0, number);
    if (number < value.size()) values[name + " number"] = value.substr(number);
}

Values values_of(const VariantCall& call) {
    Values values{{"width", std::to_string(call.in.cols)},
                  {"height", std::to_string(call.in.rows)},
                  {"type", std::to_string(call.in.type())},
                  {"output", std::to_string(call.out.type)}};
    std::istringstream parameters(call.parameters);
    for (std::string part; std::getline(parameters, part, ';');) {
        const auto equals = part.find('=');
        const bool is_named = equals != std::string::npos;
        add_parameter(values, is_named ? part.substr(0, equals) : "",
                      is_named ? part.substr(equals + 1) : part);
    }
    return values;
}

/// Calls that differ in nothing else differ in their pixels.
void number_contents(std::vector<Values>& all) {
    std::map<Values, int> seen;
    for (Values& values : all) values["content"] = std::to_string(seen[values]++);
}

void remove_those_of_many(std::vector<Values>& all, std::size_t most_values) {
    std::map<std::string, std::set<std::string>> known;
    for (const Values& values : all) {
        for (const auto& [name, value] : values) known[name].insert(value);
    }
    for (Values& values : all) {
        std::erase_if(values,
                      [&](const auto& value) { return known[value.first].size() > most_values; });
    }
}

/// Values and pairs of values as numbers.
std::vector<Features> features_of(const std::vector<Values>& all) {
    std::map<std::pair<std::string, std::string>, std::size_t> numbers;
    std::vector<Features> features;
    for (const Values& values : all) {
        Features& own = features.emplace_back();
        for (const auto& value : values) {
            own.values.insert(numbers.try_emplace(value, numbers.size()).first->second);
        }
        for (const std::size_t a : own.values) {
            for (const std::size_t b : own.values) {
                if (a < b) own.pairs.emplace(a, b);
            }
        }
    }
    return features;
}

template <class Set>
void erase_all(Set& from, const Set& these) {
    for (const auto& one : these) from.erase(one);
}

}  // namespace

double work_of(const VariantCall& variant_call) {
    constexpr double of_a_call = 20'000;
    const auto pixels =
        static_cast<double>(variant_call.out.width) * static_cast<double>(variant_call.out.height);
    return of_a_call + pixels * variant_call.out.channels() * variant_call.work;
}

Choice::Choice(const std::vector<VariantCall>& calls, double work, std::size_t most_values)
    : work_(work) {
    std::vector<Values> all;
    for (const VariantCall& call : calls) {
        all.push_back(values_of(call));
        costs_.push_back(work_of(call));
    }
    number_contents(all);
    remove_those_of_many(all, most_values);
    left_ = features_of(all);
}

std::optional<std::size_t> Choice::next() const {
    const auto gain = [&](std::size_t i) {
        return std::pair(left_[i].values.size(), left_[i].pairs.size());
    };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < left_.size(); ++i) {
        const bool is_allowed = !left_[i].values.empty() || costs_[i] <= work_;
        if (!is_allowed || gain(i) == std::pair<std::size_t, std::size_t>()) continue;
        if (!best || gain(i) > gain(*best)) best = i;
    }
    return best;
}

void Choice::take(std::size_t number) {
    work_ -= costs_[number];
    const Features taken = left_[number];
    for (Features& features : left_) {
        erase_all(features.values, taken.values);
        erase_all(features.pairs, taken.pairs);
    }
}

std::vector<std::size_t> choose(const std::vector<VariantCall>& calls, double work,
                                std::size_t most_values) {
    Choice choice(calls, work, most_values);
    std::vector<std::size_t> chosen;
    while (const auto number = choice.next()) {
        chosen.push_back(*number);
        choice.take(*number);
    }
    return chosen;
}

}  // namespace harness
