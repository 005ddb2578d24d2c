#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

namespace common::summary {
namespace {

bool is_of_variant(const TestCase& test, const LabReport& lab) {
    return std::any_of(lab.variants.begin(), lab.variants.end(),
                       [&](const auto& variant) { return variant.name == test.last_part(); });
}

}  // namespace

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
                         variant.message});
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
    if (variant.timing && !variant.timing->elsewhere.empty()) {
        note += fmt::format("{}time at {}", note.empty() ? "" : "; ", variant.timing->elsewhere);
    }
    return note;
}

std::string times_of(const LabReport& lab) {
    return lab.timings.caption +
           "; each variant with its best block size and thread count; trimmed mean.";
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

}  // namespace common::summary
