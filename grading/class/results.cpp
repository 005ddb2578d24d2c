#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/error.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Nothing if there is no such file. Throws Failed if it is not a result file.
std::optional<json> read_results(const fs::path& path) {
    std::ifstream file(path);
    if (!file) return std::nullopt;
    json results = json::parse(file, nullptr, false);
    if (!results.is_object() || !results.contains("extra_data")) {
        throw common::Failed(fmt::format("{}: not a result of `grade check`", path.string()));
    }
    return results;
}

std::optional<double> number(const json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number()) return std::nullopt;
    return at->get<double>();
}

/// XML takes no control characters, however they are written.
std::string without_controls(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
    return text;
}

std::vector<VariantResult> variants_of(const json& results) {
    std::vector<VariantResult> variants;
    for (const json& variant : results.at("extra_data").value("variants", json::array())) {
        variants.push_back({variant.value("name", ""), variant.value("verdict", ""),
                            without_controls(variant.value("reason", "")),
                            number(variant, "speedup")});
    }
    return variants;
}

void add_points(const json& results, Grade& grade) {
    for (const json& test : results.value("tests", json::array())) {
        grade.score += number(test, "score").value_or(0);
        grade.max_score += number(test, "max_score").value_or(0);
    }
}

}  // namespace

std::string Grade::status() const {
    if (graded) return "graded";
    return submitted ? "not graded" : "not submitted";
}

Grade read_grade(const Student& student, const fs::path& folder, bool submitted) {
    Grade grade{.student = student, .submitted = submitted};
    if (!submitted) return grade;
    for (const char* part : {"speed", "tests"}) {
        const auto results = read_results(folder / part / "results.json");
        if (!results) continue;
        grade.graded = true;
        grade.page = part;
        grade.variants = variants_of(*results);
        add_points(*results, grade);
        break;
    }
    return grade;
}

bool has_right_variant(const fs::path& folder) {
    const auto tests = read_results(folder / "tests" / "results.json");
    if (!tests) return false;
    const auto variants = variants_of(*tests);
    return std::any_of(variants.begin(), variants.end(), [](const auto& v) { return v.right(); });
}

}  // namespace grading
