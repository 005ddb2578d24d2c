#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <set>

namespace harness::summary {
namespace {

bool is_of_variant(const TestCase& test, const LabReport& lab) {
    return std::any_of(lab.variants.begin(), lab.variants.end(),
                       [&](const auto& variant) { return variant.name == test.last_part(); });
}

/// "omp_hang: timeout, 2 others".
std::string name_failures(const LabReport& lab) {
    std::string text;
    int others = lab.failed_tests();
    for (const VariantReport& variant : lab.variants) {
        const auto failed = std::count_if(lab.tests.begin(), lab.tests.end(), [&](const auto& t) {
            return is_failure(t.outcome) && t.last_part() == variant.name;
        });
        if (failed == 0) continue;
        others -= static_cast<int>(failed);
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", variant.name,
                            to_string(variant.outcome));
    }
    if (others > 0) text += fmt::format("{}{} not of a variant", text.empty() ? "" : ", ", others);
    return text;
}

/// Without what the table says of each variant: why it was skipped, and what it refused.
std::string skip_reasons(const LabReport& lab) {
    std::set<std::string> reasons;
    for (const TestCase& test : lab.tests) {
        const bool in_table = is_of_variant(test, lab) && test.message.starts_with("refused ");
        const bool whole_variant =
            std::any_of(lab.variants.begin(), lab.variants.end(), [&](const auto& variant) {
                return variant.name == test.last_part() && variant.outcome == Outcome::skipped;
            });
        if (test.outcome != Outcome::skipped || in_table || whole_variant) continue;
        reasons.insert(test.message);
    }
    std::string text;
    for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
    return text;
}

}  // namespace

std::string_view to_string(Outcome outcome) {
    static constexpr std::array<std::string_view, 10> names{
        "ok",     "skipped", "not done yet", "not tested", "refused",
        "failed", "wrong",   "timeout",      "crash",      "does not compile"};
    return names.at(static_cast<std::size_t>(outcome));
}

std::string Configurations::text() const {
    if (refused == 0) return "";
    return fmt::format("{} of {} configurations (first: {})", refused, checked + refused,
                       first_reason);
}

std::string result_of(const VariantReport& variant) {
    if (variant.outcome != Outcome::ok) return std::string(to_string(variant.outcome));
    return variant.emulated ? "correct (emulated)" : "correct";
}

std::string emulated_result_of(const TestCase& test, const LabReport& lab) {
    const bool emulated = std::any_of(
        lab.variants.begin(), lab.variants.end(),
        [&](const auto& variant) { return variant.emulated && variant.name == test.last_part(); });
    return emulated && test.outcome == Outcome::ok ? "correct (emulated)" : "";
}

std::string describe_tests(const LabReport& lab) {
    std::string text = fmt::format("{} tests passed", lab.count(Outcome::ok));
    const auto emulated = std::count_if(lab.tests.begin(), lab.tests.end(), [&](const auto& test) {
        return !emulated_result_of(test, lab).empty();
    });
    if (emulated > 0) text += fmt::format(" ({} emulated)", emulated);
    if (lab.failed_tests() > 0) {
        text += fmt::format(", {} FAILED ({})", lab.failed_tests(), name_failures(lab));
    }
    if (lab.count(Outcome::skipped) > 0) {
        const std::string reasons = skip_reasons(lab);
        text += fmt::format(", {} skipped{}", lab.count(Outcome::skipped),
                            reasons.empty() ? "" : " (" + reasons + ")");
    }
    if (lab.count(Outcome::not_done) > 0) {
        text += fmt::format(", {} not done yet", lab.count(Outcome::not_done));
    }
    for (const VariantReport& variant : lab.variants) {
        if (variant.outcome != Outcome::refused) continue;
        text += fmt::format("; {} refused {}", variant.name, variant.configurations.text());
    }
    return text;
}

std::vector<Failure> failures(const LabReport& lab) {
    std::vector<Failure> found;
    if (lab.build == "failed") {
        found.push_back({lab.name, "does not build", lab.trouble});
    } else if (!lab.finished) {
        found.push_back({lab.name, "not finished", "the run was stopped"});
    } else if (!lab.trouble.empty()) {
        found.push_back({lab.name, "failed", lab.trouble});
    }
    for (const VariantReport& variant : lab.variants) {
        if (variant.outcome == Outcome::not_tested && !lab.finished) continue;
        if (!is_failure(variant.outcome)) continue;
        found.push_back({lab.name + " " + variant.name, std::string(to_string(variant.outcome)),
                         note_of(variant)});
    }
    for (const TestCase& test : lab.tests) {
        if (is_of_variant(test, lab) || !is_failure(test.outcome)) continue;
        found.push_back(
            {lab.name + " test " + test.name, std::string(to_string(test.outcome)), test.message});
    }
    return found;
}

std::string verdict(const Run& run) {
    if (run.ok()) return "Everything that can run here passed.";
    std::string names;
    int bad = 0;
    for (const LabReport& lab : run.labs) {
        if (lab.ok()) continue;
        names += fmt::format("{}{}: {}", bad++ == 0 ? "" : ", ", lab.name, lab.status());
    }
    return fmt::format("FAILED: {} of {} parts ({}).", bad, run.labs.size(), names);
}

std::string note_of(const VariantReport& variant) {
    std::string note = variant.message;
    const auto add = [&note](const std::string& text) {
        if (!text.empty()) note += (note.empty() ? "" : "; ") + text;
    };
    const std::string refusals = variant.configurations.text();
    if (!refusals.empty() && variant.outcome != Outcome::refused) add("refused " + refusals);
    if (!variant.timing) return note;
    add(variant.timing->noise);
    if (!variant.timing->elsewhere.empty()) add("time at " + variant.timing->elsewhere);
    return note;
}

std::string noise_of(const LabReport& lab) {
    return lab.timings.too_noisy_to_rank() ? "this run is too noisy to rank its variants" : "";
}

std::string times_of(const LabReport& lab) {
    const std::string noise = noise_of(lab);
    return fmt::format(
        "{}; each variant with its best block size and thread count; trimmed mean{}{}.",
        lab.timings.caption, noise.empty() ? "" : "; ", noise);
}

std::vector<std::string> numbers_of(const VariantReport& variant) {
    if (!variant.timing) return std::vector<std::string>(number_columns.size(), "-");
    const Timing& timing = *variant.timing;
    const std::string ms = milliseconds(timing.kernel_ms);
    return {timing.spread ? fmt::format("{} ± {:.0f} %", ms, 100 * *timing.spread) : ms,
            decimal(timing.speedup, 2), decimal(timing.percent_of_copy, 1)};
}

std::string decimal(const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string milliseconds(double ms) {
    return ms < 1 ? fmt::format("{:.4f}", ms) : fmt::format("{:.{}f}", ms, ms < 10 ? 3 : 2);
}

std::string printable(std::string text) {
    std::erase_if(text, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    });
    return pugi::as_utf8(pugi::as_wide(text));  // leaves out what it cannot decode
}

}  // namespace harness::summary
