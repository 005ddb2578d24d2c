#include "pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <pugixml.hpp>
#include <set>

#include "common/csv.hpp"
#include "common/error.hpp"
#include "common/file.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;

constexpr const char* style =
    "body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; }\n"
    "table { border-collapse: collapse; width: 100%; }\n"
    "td, th { padding: .3rem .6rem; border-bottom: 1px solid #ccc; text-align: left; }\n"
    ".number { text-align: right; }\n";

std::string decimal(double value) {
    return fmt::format("{:g}", value);
}

std::string times(const VariantResult& variant) {
    return variant.speedup ? fmt::format("{:.2f}", *variant.speedup) : "";
}

/// "right 3.20", "wrong".
std::string cell(const VariantResult& variant) {
    if (!variant.right() || !variant.speedup) return variant.verdict;
    return variant.verdict + " " + times(variant);
}

/// An HTML page with one table. pugixml escapes all text.
class Page {
  public:
    Page(const std::string& title, const std::vector<std::string>& header) {
        document_.append_child(pugi::node_doctype).set_value("html");
        pugi::xml_node html = document_.append_child("html");
        html.append_attribute("lang") = "en";
        pugi::xml_node head = html.append_child("head");
        head.append_child("meta").append_attribute("charset") = "utf-8";
        head.append_child("title").text() = title.c_str();
        head.append_child("style").text() = style;
        pugi::xml_node body = html.append_child("body");
        body.append_child("h1").text() = title.c_str();
        table_ = body.append_child("table");
        pugi::xml_node row = table_.append_child("tr");
        for (const std::string& text : header) row.append_child("th").text() = text.c_str();
    }

    pugi::xml_node row() { return table_.append_child("tr"); }

    void save(const fs::path& path) const {
        common::write_file(path, [this](std::ostream& out) {
            document_.save(out, "", pugi::format_raw | pugi::format_no_declaration);
        });
    }

  private:
    pugi::xml_document document_;
    pugi::xml_node table_;
};

void add_cell(pugi::xml_node row, const std::string& text, bool number = false) {
    pugi::xml_node cell_node = row.append_child("td");
    if (number) cell_node.append_attribute("class") = "number";
    cell_node.text() = text.c_str();
}

std::set<std::string> variant_names(const std::vector<Grade>& grades) {
    std::set<std::string> names;
    for (const Grade& grade : grades) {
        for (const VariantResult& variant : grade.variants) names.insert(variant.name);
    }
    return names;
}

}  // namespace

void write_grades(const std::vector<Grade>& grades, const fs::path& path) {
    const std::set<std::string> names = variant_names(grades);
    std::vector<std::string> header{"id", "name", "status", "score", "max_score"};
    header.insert(header.end(), names.begin(), names.end());
    common::CsvFile file(path, header);
    for (const Grade& grade : grades) {
        std::vector<std::string> row{grade.student.id, grade.student.name, grade.status(),
                                     decimal(grade.score), decimal(grade.max_score)};
        for (const std::string& name : names) {
            const auto at = std::find_if(grade.variants.begin(), grade.variants.end(),
                                         [&](const auto& variant) { return variant.name == name; });
            row.push_back(at == grade.variants.end() ? "" : cell(*at));
        }
        file.add(row);
    }
    file.finish();
}

void write_index(const std::vector<Grade>& grades, const fs::path& path) {
    Page page("Grades", {"id", "name", "status", "score", "variants"});
    for (const Grade& grade : grades) {
        pugi::xml_node row = page.row();
        pugi::xml_node id = row.append_child("td");
        if (grade.graded) {
            id = id.append_child("a");
            id.append_attribute("href") =
                fmt::format("students/{}/{}/feedback.html", grade.student.id, grade.page).c_str();
        }
        id.text() = grade.student.id.c_str();
        add_cell(row, grade.student.name);
        add_cell(row, grade.status());
        add_cell(row, fmt::format("{} / {}", decimal(grade.score), decimal(grade.max_score)), true);
        std::string variants;
        for (const VariantResult& variant : grade.variants) {
            variants +=
                fmt::format("{}{}: {}", variants.empty() ? "" : "; ", variant.name, cell(variant));
        }
        add_cell(row, variants);
    }
    page.save(path);
}

void write_leaderboard(const std::vector<Grade>& grades,
                       const std::map<std::string, std::string>& names, const fs::path& path) {
    struct Entry {
        double speedup;
        std::string name, variant;
    };
    std::vector<Entry> entries;
    for (const Grade& grade : grades) {
        for (const VariantResult& variant : grade.variants) {
            if (!variant.right() || !variant.speedup) continue;
            entries.push_back({*variant.speedup, names.at(grade.student.id), variant.name});
        }
    }
    // The pseudonym decides between equals, so that the roster's order does not show.
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.speedup != b.speedup ? a.speedup > b.speedup : a.name < b.name;
    });
    Page page("Leaderboard", {"rank", "who", "variant", "speedup over seq"});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        pugi::xml_node row = page.row();
        add_cell(row, std::to_string(i + 1), true);
        add_cell(row, entries[i].name);
        add_cell(row, entries[i].variant);
        add_cell(row, fmt::format("{:.2f}", entries[i].speedup), true);
    }
    page.save(path);
}

void write_junit(const std::vector<Grade>& grades, const fs::path& path) {
    pugi::xml_document document;
    pugi::xml_node suites = document.append_child("testsuites");
    for (const Grade& grade : grades) {
        pugi::xml_node suite = suites.append_child("testsuite");
        suite.append_attribute("name") = grade.student.id.c_str();
        suite.append_attribute("tests") = grade.variants.size();
        suite.append_attribute("failures") =
            std::count_if(grade.variants.begin(), grade.variants.end(),
                          [](const auto& variant) { return !variant.right(); });
        for (const VariantResult& variant : grade.variants) {
            pugi::xml_node test = suite.append_child("testcase");
            test.append_attribute("classname") = grade.student.id.c_str();
            test.append_attribute("name") = variant.name.c_str();
            if (variant.right()) continue;
            test.append_child("failure").append_attribute("message") =
                fmt::format("{}: {}", variant.verdict, variant.reason).c_str();
        }
    }
    common::write_file(path, [&](std::ostream& out) { document.save(out, "  "); });
}

}  // namespace grading
