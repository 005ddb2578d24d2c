// The page that a student reads.

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "check/output.hpp"

namespace grading {
namespace {

constexpr std::uintmax_t largest_picture = 300'000;

constexpr char head[] = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Feedback</title><style>
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .2em .6em;
vertical-align: top; border-bottom: 1px solid #ccc; } pre { white-space: pre-wrap; overflow-wrap:
anywhere; background: #f4f4f4; padding: .6em; } img { image-rendering: pixelated; max-width: 100%; }
</style></head><body>
)";

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string base64(const std::string& bytes) {
    constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const auto byte = i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U;
            group = group << 8 | byte;
        }
        for (std::size_t j = 0; j < 4; ++j) {
            text += i + j > bytes.size() ? '=' : letters[group >> (18 - 6 * j) & 63];
        }
    }
    return text;
}

/// The largest picture of a difference that is not too large: one of a single pixel shows little.
std::string picture(const GradedVariant& variant) {
    std::string file;
    std::uintmax_t largest = 0;
    for (const TestResult& test : variant.tests) {
        std::error_code missing;
        const auto size = std::filesystem::file_size(test.picture, missing);
        if (missing || test.hidden || size <= largest || size > largest_picture) continue;
        file = test.picture;
        largest = size;
    }
    if (file.empty()) return "";
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    return "<p>Where values are wrong (black: right):</p><img alt=\"difference\" "
           "src=\"data:image/png;base64," +
           base64(bytes) + "\">\n";
}

std::string points_table(const Grade& grade) {
    double points = 0;
    double most = 0;
    double by_hand = 0;
    std::string rows;
    for (const Item& item : grade.items) {
        points += item.points;
        most += item.most;
        if (item.by_hand) by_hand += item.most;
        rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{:g} of {:g}</td><td>{}</td></tr>\n",
                            escaped(item.task), escaped(item.name), item.points, item.most,
                            escaped(item.by_hand  ? "graded by a person. " + item.text
                                    : item.hidden ? (item.passed ? "passed" : "failed")
                                                  : item.text));
    }
    if (most == 0) return "";
    return fmt::format(
        "<h2>Points: {:g} of {:g}</h2>\n<p>{:g} points are given by a person.</p>\n<table><tr><th>"
        "task</th><th>part</th><th>points</th><th></th></tr>\n{}</table>\n",
        points, most, by_hand, rows);
}

std::string next_step(const GradedVariant& variant) {
    if (variant.verdict == "right") {
        return variant.gpu == "emulated"
                   ? "Run it on a GPU and measure it: run_all.sh."
                   : "Measure what bounds it now: run_all.sh, and the lab's handout.";
    }
    if (variant.verdict == "does not compile")
        return "Compile it with run_all.sh; see the messages.";
    if (variant.verdict == "not done yet") return "The handout has hints.";
    if (variant.verdict == "timeout") return "Does a loop or a thread wait for something for ever?";
    if (variant.verdict == "implausible") return "Talk to your teacher.";
    return "Repeat the first failed test with run_all.sh --variant " + variant.name + ".";
}

std::string section(const GradedVariant& variant) {
    std::string text =
        fmt::format("<h2>{}: {}</h2>\n", escaped(variant.name), escaped(variant.verdict));
    if (!variant.reason.empty()) text += "<pre>" + escaped(variant.reason) + "</pre>\n";
    text += picture(variant);
    const nlohmann::json speedup = variant.speedup();
    if (speedup.is_number()) {
        text += fmt::format("<p>{:.2f} times as fast as {}, by the median of calls in turns.</p>\n",
                            speedup.get<double>(),
                            escaped(variant.speeds.back().at("against").get<std::string>()));
    }
    text += "<table>\n";
    for (const TestResult& test : variant.tests) {
        text += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(test.name),
                            escaped(test.outcome));
    }
    return text + "</table>\n<p>" + escaped(next_step(variant)) + "</p>\n";
}

}  // namespace

std::string feedback_of(const Grade& grade) {
    std::string text = head + ("<h1>" + escaped(grade.lab) + "</h1>\n") + points_table(grade);
    if (grade.variants.empty()) text += "<p>No variant file was found.</p>\n";
    for (const GradedVariant& variant : grade.variants) text += section(variant);
    return text + "</body></html>\n";
}

}  // namespace grading
