// The page that a student reads.

#include <fmt/format.h>
#include <sodium.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <pugixml.hpp>
#include <sstream>

#include "check/output.hpp"

namespace grading {
namespace {

constexpr const char* style =
    "body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }\n"
    "table { border-collapse: collapse; width: 100%; }\n"
    "td, th { text-align: left; padding: .2em .6em; vertical-align: top;\n"
    "border-bottom: 1px solid #ccc; }\n"
    "pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f4; padding: .6em; }\n"
    "img { image-rendering: pixelated; max-width: 100%; }\n";

void add(pugi::xml_node parent, const char* element, const std::string& text) {
    parent.append_child(element).text() = text.c_str();
}

std::string base64(const std::string& bytes) {
    constexpr int kind = sodium_base64_VARIANT_ORIGINAL;
    std::string text(sodium_base64_ENCODED_LEN(bytes.size(), kind), '\0');
    sodium_bin2base64(text.data(), text.size(),
                      reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), kind);
    text.pop_back();  // the zero at the end
    return text;
}

}  // namespace

std::uintmax_t shown_bytes(const std::string& picture, bool hidden) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(picture, missing);
    return missing || hidden || size > largest_picture ? 0 : size;
}

namespace {

/// The largest picture of a difference that is not too large: one of a single pixel shows little.
void add_picture(pugi::xml_node body, const GradedVariant& variant) {
    std::string file;
    std::uintmax_t largest = 0;
    for (const TestResult& test : variant.tests) {
        const auto size = shown_bytes(test.picture, test.hidden);
        if (size <= largest) continue;
        file = test.picture;
        largest = size;
    }
    if (file.empty()) return;
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    add(body, "p", "Where values are wrong (black: right):");
    pugi::xml_node image = body.append_child("img");
    image.append_attribute("alt") = "difference";
    image.append_attribute("src") = ("data:image/png;base64," + base64(bytes)).c_str();
}

std::string remark(const Item& item) {
    if (item.by_hand) return "graded by a person. " + item.text;
    if (item.hidden && !item.is_missing) return item.passed ? "passed" : "failed";
    return item.text;
}

void add_points(pugi::xml_node body, const Grade& grade) {
    double points = 0;
    double most = 0;
    double by_hand = 0;
    for (const Item& item : grade.items) {
        points += item.points;
        most += item.most;
        if (item.by_hand) by_hand += item.most;
    }
    if (most == 0) return;
    add(body, "h2", fmt::format("Points: {:g} of {:g}", points, most));
    add(body, "p", fmt::format("{:g} points are given by a person.", by_hand));
    pugi::xml_node table = body.append_child("table");
    pugi::xml_node header = table.append_child("tr");
    for (const char* title : {"task", "part", "points", ""}) add(header, "th", title);
    for (const Item& item : grade.items) {
        pugi::xml_node row = table.append_child("tr");
        add(row, "td", item.task);
        add(row, "td", item.name);
        add(row, "td", fmt::format("{:g} of {:g}", item.points, item.most));
        const std::string text = remark(item);
        const bool has_lines = text.find('\n') != std::string::npos;  // a table of values
        add(has_lines ? row.append_child("td") : row, has_lines ? "pre" : "td", text);
    }
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

void add_section(pugi::xml_node body, const GradedVariant& variant) {
    add(body, "h2", variant.name + ": " + variant.verdict);
    if (!variant.reason.empty()) add(body, "pre", variant.reason);
    add_picture(body, variant);
    const nlohmann::json speedup = variant.speedup();
    if (speedup.is_number()) {
        add(body, "p",
            fmt::format(
                "{:.2f} times as fast as {}, by the median of the ratios of calls in turns.",
                speedup.get<double>(), variant.speeds.front().at("against").get<std::string>()));
    }
    pugi::xml_node table = body.append_child("table");
    for (const TestResult& test : variant.tests) {
        pugi::xml_node row = table.append_child("tr");
        add(row, "td", test.name);
        add(row, "td", test.outcome);
    }
    add(body, "p", next_step(variant));
}

}  // namespace

std::string feedback_of(const Grade& grade) {
    pugi::xml_document document;
    document.append_child(pugi::node_doctype).set_value("html");
    pugi::xml_node html = document.append_child("html");
    html.append_attribute("lang") = "en";
    pugi::xml_node head = html.append_child("head");
    head.append_child("meta").append_attribute("charset") = "utf-8";
    add(head, "title", "Feedback");
    add(head, "style", style);
    pugi::xml_node body = html.append_child("body");
    add(body, "h1", grade.lab);
    add_points(body, grade);
    if (grade.variants.empty()) add(body, "p", "No variant file was found.");
    if (!grade.others.empty()) {
        add(body, "h2", "Files that were not graded");
        pugi::xml_node list = body.append_child("ul");
        for (const OtherFile& other : grade.others) add(list, "li", said_of(other));
    }
    for (const GradedVariant& variant : grade.variants) add_section(body, variant);
    std::ostringstream text;
    document.save(text, "", pugi::format_raw | pugi::format_no_declaration);
    return text.str();
}

}  // namespace grading
