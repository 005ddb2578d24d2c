#include "harness/testing_random.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "common/error.hpp"
#include "harness/random.hpp"
#include "testing_blocks.hpp"
#include "testing_choice.hpp"
#include "testing_crash.hpp"

namespace harness {

using namespace common;
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t usual_cases = 40;
constexpr double usual_work = 1e8;

constexpr std::int64_t first_large_case = 1'000'000;

constexpr auto most_reduction = std::chrono::seconds(20);

std::int64_t to_number(const std::string& what, const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw BadUsage(fmt::format("{}: '{}' is not a whole number", what, text));
    }
    return value;
}

std::int64_t from_environment(const char* name, std::int64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : to_number(name, text);
}

/// Values between `value` and the simplest one, the simplest first.
std::vector<std::int64_t> simpler(std::int64_t value, const Parameter& parameter) {
    std::vector<std::int64_t> result;
    for (std::int64_t distance = value - parameter.simplest; distance != 0; distance /= 2) {
        if (parameter.allows(value - distance)) result.push_back(value - distance);
    }
    return result;
}

/// One run of a random test.
class Run {
  public:
    Run(const RandomCases& cases, std::string reproduce,
        const std::function<std::string(const VariantCall&)>& check_call)
        : cases_(cases), reproduce_(std::move(reproduce)), check_call_(check_call) {}

    std::string command(const Case& chosen) const {
        std::string text = reproduce_;
        return text.replace(text.find("{}"), 2, to_text(cases_.parameters, chosen));
    }

    std::string check_call(const Case& chosen, bool in_detail) {
        const RunningCase running(command(chosen));
        VariantCall variant_call = cases_.variant_call(chosen);
        variant_call.in_detail = in_detail;
        on_gpu_ = variant_call.job.on_gpu();
        work_ += work_of(variant_call);
        return check_call_(variant_call);
    }

    double work() const { return work_; }  ///< so far

    /// The message for a failed case; `wrong` is what `check_call` returned.
    std::string report(const Case& failed, const std::string& wrong) {
        if (gpu_is_lost(wrong)) {
            return fmt::format("{}\nnot reduced: after a fault the GPU is lost to this process\n{}",
                               wrong, command(failed));
        }
        Case smallest = failed;
        std::string text = reduce(smallest);
        if (!gpu_is_lost(text)) text = check_call(smallest, true);
        if (text.empty()) text = wrong;
        add_where_it_fails(text, cases_, smallest);
        return fmt::format("{}\nreduced from {}\n{}", text, to_text(cases_.parameters, failed),
                           command(smallest));
    }

  private:
    const RandomCases& cases_;
    std::string reproduce_;
    const std::function<std::string(const VariantCall&)>& check_call_;
    bool on_gpu_ = false;
    double work_ = 0;

    bool gpu_is_lost(const std::string& wrong) const {
        return on_gpu_ && !wrong.empty() && !wrong.starts_with("WRONG");
    }

    /// Simplifies the parameters of a failing case while it still fails. Returns the last message.
    std::string reduce(Case& failed) {
        const auto stop = Clock::now() + most_reduction;
        std::string wrong;
        for (bool again = true; again;) {
            again = false;
            for (const Parameter& parameter : cases_.parameters) {
                for (const auto value : simpler(failed[parameter.name], parameter)) {
                    if (Clock::now() > stop || gpu_is_lost(wrong)) return wrong;
                    Case candidate = failed;
                    candidate.set(parameter.name, value);
                    const std::string text = check_if_valid(candidate);
                    if (text.empty()) continue;
                    wrong = text;
                    failed = candidate;
                    again = true;
                    break;
                }
            }
        }
        return wrong;
    }

    /// A combination of parameters that is not valid is no failure of the variant.
    std::string check_if_valid(const Case& candidate) {
        try {
            return check_call(candidate, false);
        } catch (const BadUsage&) {
            return "";
        }
    }
};

}  // namespace

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
    const auto values = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(random_at(seed_, index_++) % values);
}

std::int64_t Random::one_of(std::initializer_list<std::int64_t> values) {
    return values.begin()[between(0, static_cast<std::int64_t>(values.size()) - 1)];
}

std::int64_t Case::operator[](const std::string& name) const {
    for (const auto& [known, value] : values_) {
        if (known == name) return value;
    }
    throw std::out_of_range(name);
}

bool Case::has(const std::string& name) const {
    return std::any_of(values_.begin(), values_.end(),
                       [&](const auto& entry) { return entry.first == name; });
}

void Case::set(const std::string& name, std::int64_t value) {
    for (auto& [known, old] : values_) {
        if (known == name) {
            old = value;
            return;
        }
    }
    values_.emplace_back(name, value);
}

bool Parameter::allows(std::int64_t value) const {
    return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

Parameter one_of(const std::string& name, const std::vector<std::int64_t>& values) {
    const auto pick = [values](Random& random, const Case&) {
        const auto last = static_cast<std::int64_t>(values.size()) - 1;
        return values[static_cast<std::size_t>(random.between(0, last))];
    };
    return {name, values.front(), pick, {}, values};
}

std::vector<Parameter> joined(std::initializer_list<std::vector<Parameter>> parts) {
    std::vector<Parameter> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

Case make_case(const std::vector<Parameter>& parameters, std::uint64_t seed, std::int64_t index) {
    Random random(random_at(seed, static_cast<std::uint64_t>(index)));
    Case chosen;
    for (const Parameter& parameter : parameters) {
        chosen.set(parameter.name, parameter.pick(random, chosen));
    }
    return chosen;
}

std::string to_text(const std::vector<Parameter>& parameters, const Case& chosen) {
    std::string text;
    for (const Parameter& parameter : parameters) {
        const std::int64_t value = chosen[parameter.name];
        if (!text.empty()) text += ';';
        text += parameter.name + '=';
        text += parameter.words.empty() ? std::to_string(value)
                                        : parameter.words.at(static_cast<std::size_t>(value));
    }
    return text;
}

Case parse_case(const std::vector<Parameter>& parameters, const std::string& text) {
    std::istringstream parts(text);
    Case chosen;
    for (const Parameter& parameter : parameters) {
        std::string part;
        std::getline(parts, part, ';');
        const std::string begin = parameter.name + '=';
        if (!part.starts_with(begin)) {
            throw BadUsage(fmt::format("LABS_RANDOM_CASE: {} expected, not '{}'", begin, part));
        }
        const std::string value = part.substr(begin.size());
        const auto word = std::find(parameter.words.begin(), parameter.words.end(), value);
        if (!parameter.words.empty() && word == parameter.words.end()) {
            throw BadUsage(
                fmt::format("LABS_RANDOM_CASE: no {} is called '{}'", parameter.name, value));
        }
        const std::int64_t number =
            parameter.words.empty() ? to_number(part, value) : word - parameter.words.begin();
        if (!parameter.allows(number)) {
            throw BadUsage(fmt::format("LABS_RANDOM_CASE: {} is not valid", part));
        }
        chosen.set(parameter.name, number);
    }
    return chosen;
}

Case make_large_case(const RandomCases& cases, const RandomSettings& settings, std::int64_t index) {
    for (std::int64_t percent = 100;; percent = percent * 3 / 4) {
        std::vector<Parameter> parameters = cases.parameters;
        for (Parameter& parameter : parameters) {
            const bool is_width = parameter.name == "width";
            if (!is_width && parameter.name != "height") continue;
            parameter.pick = [=](Random& random, const Case&) {
                const std::int64_t least = is_width ? 500 : 300;
                return std::max<std::int64_t>(1, random.between(least, 4 * least) * percent / 100);
            };
        }
        const Case chosen = make_case(parameters, settings.seed, first_large_case + index);
        const bool is_small_enough =
            percent <= 1 || work_of(cases.variant_call(chosen)) <= settings.most_work_of_large;
        if (is_small_enough) return chosen;
    }
}

RandomSettings RandomSettings::from_environment() {
    RandomSettings settings;
    settings.ms = harness::from_environment("LABS_RANDOM_MS", settings.ms);
    settings.cases = harness::from_environment("LABS_RANDOM_CASES", settings.cases);
    settings.large = harness::from_environment("LABS_RANDOM_LARGE", settings.large);
    settings.seed = static_cast<std::uint64_t>(harness::from_environment("LABS_RANDOM_SEED", 1));
    if (const char* only = std::getenv("LABS_RANDOM_CASE")) settings.only = only;
    return settings;
}

std::string reproduce_running_test() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return fmt::format("LABS_RANDOM_CASE='{{}}' {} --gtest_filter='{}.{}'",
                       std::filesystem::read_symlink("/proc/self/exe").string(),
                       test->test_suite_name(), test->name());
}

std::string run_random(const RandomCases& cases, const RandomSettings& settings,
                       const std::string& reproduce,
                       const std::function<std::string(const VariantCall&)>& check_call,
                       std::ostream& log) {
    Run run(cases, reproduce, check_call);
    if (!settings.only.empty()) {
        return run.check_call(parse_case(cases.parameters, settings.only), true);
    }
    const auto stop = Clock::now() + std::chrono::milliseconds(settings.ms);
    const auto is_enough = [&](std::int64_t count) {
        if (settings.cases > 0) return count >= settings.cases;
        if (settings.ms > 0) return Clock::now() >= stop;
        if (!settings.numbers.empty()) return count >= std::ssize(settings.numbers);
        return count >= usual_cases || run.work() > usual_work;
    };
    std::optional<Case> failed;
    std::string wrong;
    std::int64_t count = 0;
    const auto check = [&](const Case& chosen) {
        ++count;
        wrong = run.check_call(chosen, false);
        if (!wrong.empty()) failed = chosen;
    };
    while (!failed && !is_enough(count)) {
        const std::int64_t number =
            settings.numbers.empty() ? count : settings.numbers[static_cast<std::size_t>(count)];
        check(make_case(cases.parameters, settings.seed, number));
    }
    for (std::int64_t i = 0; !failed && i < settings.large; ++i) {
        check(make_large_case(cases, settings, i));
    }
    log << fmt::format("random: {} cases, seed {}", count, settings.seed) << std::endl;
    return failed ? run.report(*failed, wrong) : "";
}

}  // namespace harness
