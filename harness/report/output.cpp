// The summary for the terminal, as Markdown, JSON and JUnit XML; html.cpp has the web page.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "common/error.hpp"
#include "report.hpp"
#include "words.hpp"

namespace harness::summary {

using namespace common;
namespace {

using Row = std::vector<std::string>;

/// "yes", or the problem.
std::string correct(const VariantReport& variant) {
    switch (variant.outcome) {
        case Outcome::ok:
            return variant.emulated ? result_of(variant) : "yes";
        case Outcome::not_compiled:
            return "-";
        case Outcome::skipped:
        case Outcome::not_done:
        case Outcome::not_tested:
            return std::string(to_string(variant.outcome));
        default:
            return fmt::format("NO: {}", to_string(variant.outcome));
    }
}

constexpr std::size_t first_number = 4;  // columns of numbers are aligned at the right
constexpr std::size_t note_column = first_number + number_columns.size();

/// A row of the table: `numbers` between the first four cells and the note.
template <class Numbers>
Row joined(Row row, const Numbers& numbers, const std::string& note) {
    row.insert(row.end(), numbers.begin(), numbers.end());
    row.push_back(note);
    return row;
}

const Row header = joined({"lab", "variant", "built", "correct"}, number_columns, "note");

Row row_of(const LabReport& lab, const VariantReport& variant) {
    std::string note = note_of(variant);
    if (variant.outcome > Outcome::not_tested)
        note = fmt::format("{}: {}", to_string(variant.outcome), note);
    return joined({lab.name, variant.name, variant.built ? "yes" : "no", correct(variant)},
                  numbers_of(variant), note);
}

/// A lab without variants (one that does not build, or `harness`) in one row.
Row row_of(const LabReport& lab) {
    const std::string built = lab.build.empty() ? "-" : lab.build == "ok" ? "yes" : "NO";
    const std::string right = lab.tests.empty() ? "-" : lab.failed_tests() > 0 ? "NO" : "yes";
    return joined({lab.name, "-", built, right}, numbers_of({}), lab.trouble);
}

std::vector<Row> rows_of(const LabReport& lab) {
    std::vector<Row> rows;
    for (const VariantReport& variant : lab.variants) rows.push_back(row_of(lab, variant));
    if (rows.empty()) rows.push_back(row_of(lab));
    return rows;
}

std::vector<std::string> captions(const Run& run) {
    std::vector<std::string> lines;
    for (const LabReport& lab : run.labs) {
        if (lab.timings.caption.empty()) continue;
        lines.push_back(fmt::format("Times of {}: {}", lab.name, times_of(lab)));
    }
    return lines;
}

/// The number of characters; in UTF-8 some (±) have several bytes.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

std::string cell(const std::string& text, std::size_t width, std::size_t column) {
    const std::string padding(width - std::min(width, width_of(text)), ' ');
    return column >= first_number && column < note_column ? padding + text : text + padding;
}

std::string_view colour_of(const VariantReport& variant) {
    if (variant.outcome == Outcome::ok) return "\033[32m";
    return is_failure(variant.outcome) ? "\033[31m" : "\033[33m";
}

/// Notes on failures, which are too long for the table.
void shorten_note(Row& row, const VariantReport& variant) {
    if (variant.outcome > Outcome::not_tested) row[note_column] = "see below";
}

class TerminalTable {
  public:
    explicit TerminalTable(bool colours) : colours_(colours) {
        rows_.push_back(header);
        starts_.emplace_back();
    }

    void add(const LabReport& lab) {
        std::vector<Row> rows = rows_of(lab);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i < lab.variants.size()) shorten_note(rows[i], lab.variants[i]);
            const bool shown = i < lab.variants.size() && colours_;
            starts_.emplace_back(shown ? colour_of(lab.variants[i]) : "");
            rows_.push_back(std::move(rows[i]));
        }
    }

    std::string text() const {
        std::vector<std::size_t> widths(header.size(), 0);
        for (const Row& row : rows_) {
            for (std::size_t c = 0; c < note_column; ++c) {
                widths[c] = std::max(widths[c], width_of(row[c]));
            }
        }
        std::string text;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            std::string line;
            for (std::size_t c = 0; c < header.size(); ++c) {
                const std::string padded = cell(rows_[r][c], widths[c], c);
                line += c == 3 && !starts_[r].empty() ? starts_[r] + padded + "\033[0m" : padded;
                if (c < note_column) line += "  ";
            }
            line.erase(line.find_last_not_of(' ') + 1);
            text += line + "\n";
        }
        return text;
    }

  private:
    bool colours_;
    std::vector<Row> rows_;
    std::vector<std::string> starts_;  // escape sequence before the cell "correct" of each row
};

/// Escapes '|', which would end the cell, and '<', which would begin HTML.
std::string markdown_cell(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c == '<' ? "&lt;" : c == '\n' ? " " : std::string(1, c);
    }
    return escaped;
}

std::string markdown_row(const Row& row) {
    std::string line = "|";
    for (const std::string& text : row) line += fmt::format(" {} |", markdown_cell(text));
    return line + "\n";
}

std::string machine(const Run& run) {
    for (const LabReport& lab : run.labs) {
        if (!lab.timings.machine.empty()) return lab.timings.machine;
    }
    return "";
}

nlohmann::ordered_json number_or_null(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json variant_json(const VariantReport& variant) {
    nlohmann::ordered_json json{{"backend", variant.backend},
                                {"built", variant.built},
                                {"status", to_string(variant.outcome)},
                                {"message", variant.message},
                                {"emulated", variant.emulated}};
    json["result"] = result_of(variant);
    const Configurations& given = variant.configurations;
    json["configurations"] = {{"checked", given.checked},
                              {"refused", given.refused},
                              {"left_out", given.left_out},
                              {"first_reason", given.first_reason}};
    const Timing none;
    const Timing& timing = variant.timing ? *variant.timing : none;
    json["kernel_ms"] = variant.timing ? nlohmann::ordered_json(timing.kernel_ms) : nullptr;
    json["spread"] = number_or_null(timing.spread);
    json["speedup"] = number_or_null(timing.speedup);
    json["percent_of_copy"] = number_or_null(timing.percent_of_copy);
    json["noise"] = timing.noise;  // empty: no ratio was held back
    json["parameters"] = timing.parameters;
    json["measured_at"] = timing.elsewhere;  // empty: the lab's times_at
    return json;
}

nlohmann::ordered_json lab_json(const LabReport& lab) {
    nlohmann::ordered_json json{{"status", lab.status()},
                                {"message", lab.trouble},
                                {"tests",
                                 {{"passed", lab.count(Outcome::ok)},
                                  {"failed", lab.failed_tests()},
                                  {"skipped", lab.count(Outcome::skipped)},
                                  {"not_done", lab.count(Outcome::not_done)}}},
                                {"bench", lab.bench},
                                {"figures", lab.figures},
                                {"times_at", lab.timings.caption},
                                {"noise", noise_of(lab)},
                                {"variants", nlohmann::ordered_json::object()}};
    for (const VariantReport& variant : lab.variants) {
        json["variants"][variant.name] = variant_json(variant);
    }
    json["failures"] = nlohmann::ordered_json::array();
    for (const Failure& failure : failures(lab)) json["failures"].push_back(failure.line());
    return json;
}

class JUnitSuite {
  public:
    JUnitSuite(pugi::xml_node parent, const LabReport& lab)
        : suite_(parent.append_child("testsuite")), name_(lab.name) {
        suite_.append_attribute("name") = lab.name.c_str();
    }

    /// `result` is a property of the test, unless it is empty.
    void add(const TestCase& test, const std::string& result = "") {
        pugi::xml_node node = suite_.append_child("testcase");
        node.append_attribute("name") = test.name.c_str();
        node.append_attribute("classname") = name_.c_str();
        node.append_attribute("time") = fmt::format("{:.3f}", test.seconds).c_str();
        ++tests_;
        if (!result.empty()) {
            pugi::xml_node property = node.append_child("properties").append_child("property");
            property.append_attribute("name") = "result";
            property.append_attribute("value") = result.c_str();
        }
        if (is_failure(test.outcome)) {
            ++failures_;
            pugi::xml_node failure = node.append_child("failure");
            failure.append_attribute("type") = std::string(to_string(test.outcome)).c_str();
            failure.append_attribute("message") = printable(test.message).c_str();
        } else if (test.outcome != Outcome::ok) {
            ++skipped_;
            node.append_child("skipped").append_attribute("message") =
                printable(test.message).c_str();
        }
        if (!test.output.empty()) {
            node.append_child("system-out").text() = printable(test.output).c_str();
        }
    }

    void finish() {
        suite_.append_attribute("tests") = tests_;
        suite_.append_attribute("failures") = failures_;
        suite_.append_attribute("skipped") = skipped_;
    }

  private:
    pugi::xml_node suite_;
    std::string name_;
    int tests_ = 0;
    int failures_ = 0;
    int skipped_ = 0;
};

/// Failures outside of the tests, as failed tests.
std::vector<TestCase> other_cases(const LabReport& lab) {
    std::vector<TestCase> cases;
    if (!lab.ok() && !lab.trouble.empty()) {
        cases.push_back({.name = lab.name + ".run",
                         .outcome = Outcome::failed,
                         .message = fmt::format("{}: {}", lab.status(), lab.trouble)});
    }
    for (const VariantReport& variant : lab.variants) {
        const bool tested = std::any_of(lab.tests.begin(), lab.tests.end(), [&](const auto& test) {
            return test.last_part() == variant.name && is_failure(test.outcome);
        });
        if (tested || !is_failure(variant.outcome)) continue;
        cases.push_back(
            {.name = lab.name + ".variant/" + variant.name,
             .outcome = variant.outcome,
             .message = fmt::format("{}: {}", to_string(variant.outcome), note_of(variant))});
    }
    return cases;
}

}  // namespace

std::string as_terminal(const Run& run, bool colours) {
    TerminalTable table(colours);
    for (const LabReport& lab : run.labs) table.add(lab);
    std::string text = table.text();
    for (const std::string& line : captions(run)) text += line + "\n";
    for (const LabReport& lab : run.labs) {
        for (const Failure& failure : failures(lab)) text += fmt::format("\n{}\n", failure.line());
    }
    return fmt::format("{}\n{}\n", text, verdict(run));
}

std::string as_markdown(const Run& run) {
    std::string text =
        fmt::format("# Summary of run_all.sh {}\n\n**{}**\n\n", run.mode, verdict(run));
    if (!machine(run).empty()) text += fmt::format("Machine: {}\n\n", machine(run));
    for (const LabReport& lab : run.labs) {
        const std::string noise = noise_of(lab);
        text += fmt::format("- {}: {}; {}{}{}{}\n", lab.name, lab.status(), describe_tests(lab),
                            lab.bench.empty() ? "" : fmt::format("; benchmark: {}", lab.bench),
                            noise.empty() ? "" : "; ", noise);
    }
    text += fmt::format("\n{}| --- | --- | --- | --- | ---: | ---: | ---: | --- |\n",
                        markdown_row(header));
    for (const LabReport& lab : run.labs) {
        for (const Row& row : rows_of(lab)) text += markdown_row(row);
    }
    text += "\n";
    for (const std::string& line : captions(run)) text += line + "\n\n";
    if (!run.ok()) text += "## What failed\n\n";
    for (const LabReport& lab : run.labs) {
        for (const Failure& failure : failures(lab))
            text += fmt::format("- {}\n", markdown_cell(failure.line()));
    }
    return text;
}

std::string as_json(const Run& run) {
    nlohmann::ordered_json json{{"mode", run.mode},
                                {"ok", run.ok()},
                                {"machine", machine(run)},
                                {"labs", nlohmann::ordered_json::object()}};
    for (const LabReport& lab : run.labs) {
        (lab.name == "harness" ? json["harness"] : json["labs"][lab.name]) = lab_json(lab);
    }
    // A compiler's message may have bytes that are not UTF-8, which dump() would refuse.
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void write_junit(const Run& run, const std::filesystem::path& path) {
    pugi::xml_document document;
    pugi::xml_node suites = document.append_child("testsuites");
    for (const LabReport& lab : run.labs) {
        JUnitSuite suite(suites, lab);
        for (const TestCase& test : lab.tests) suite.add(test, emulated_result_of(test, lab));
        for (const TestCase& test : other_cases(lab)) suite.add(test);
        suite.finish();
    }
    if (!document.save_file(path.c_str(), "  ")) {
        throw Failed(fmt::format("cannot write '{}'", path.string()));
    }
}

}  // namespace harness::summary
