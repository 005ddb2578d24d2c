// The summary as one web page. It is built as an XML tree, so that messages and file names are
// escaped. No element may be empty unless HTML allows it (<img />): browsers read <td /> as the
// start of a cell.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <pugixml.hpp>
#include <sstream>

#include "html_images.hpp"
#include "html_style.hpp"
#include "words.hpp"

namespace harness::summary {
namespace {

using pugi::xml_node;

xml_node add(xml_node parent, const char* name, const char* kind = nullptr) {
    xml_node node = parent.append_child(name);
    if (kind != nullptr) node.append_attribute("class") = kind;
    return node;
}

void add_text(xml_node parent, const std::string& text) {
    const std::string shown = printable(text);
    parent.append_child(pugi::node_pcdata).set_value(shown.empty() ? "-" : shown.c_str());
}

xml_node add_with_text(xml_node parent, const char* name, const std::string& text,
                       const char* kind = nullptr) {
    xml_node node = add(parent, name, kind);
    add_text(node, text);
    return node;
}

// --- Outcomes: a sign and a word besides the colour ----------------------------------------------

struct Wording {
    const char* kind;  ///< for the colour
    const char* sign;
    std::string word;
};

Wording wording_of(Outcome outcome) {
    if (outcome == Outcome::ok) return {"good outcome", "✓", "correct"};
    if (outcome == Outcome::skipped) return {"skipped outcome", "–", "skipped"};
    if (outcome == Outcome::not_done) return {"skipped outcome", "–", "not done yet"};
    return {"bad outcome", "✗", std::string(to_string(outcome))};
}

Wording wording_of(const LabReport& lab) {
    if (lab.ok()) return {"good outcome", "✓", "ok"};
    return {"bad outcome", "✗", std::string(lab.status())};
}

/// Screen readers skip the sign and read the word.
void add_sign(xml_node parent, const char* sign) {
    add_with_text(parent, "span", sign, "sign").append_attribute("aria-hidden") = "true";
    add_text(parent, " ");
}

xml_node add_wording(xml_node parent, const char* name, const Wording& wording) {
    xml_node node = add(parent, name, wording.kind);
    add_sign(node, wording.sign);
    add_text(node, wording.word);
    return node;
}

// --- Tables --------------------------------------------------------------------------------------

struct Column {
    const char* name;
    const char* kind = nullptr;
};

/// Returns the table's body. The box around the table scrolls sideways on narrow screens, with the
/// keyboard too. The caption is outside of it and does not scroll.
xml_node add_table(xml_node parent, const std::string& id, const std::string& caption,
                   const std::vector<Column>& columns) {
    add_with_text(parent, "p", caption, "quiet").append_attribute("id") = id.c_str();
    xml_node box = add(parent, "div", "scroll");
    box.append_attribute("role") = "region";
    box.append_attribute("aria-labelledby") = id.c_str();
    box.append_attribute("tabindex") = "0";
    xml_node table = add(box, "table");
    table.append_attribute("aria-labelledby") = id.c_str();
    xml_node row = add(add(table, "thead"), "tr");
    for (const Column& column : columns) {
        add_with_text(row, "th", column.name, column.kind).append_attribute("scope") = "col";
    }
    return add(table, "tbody");
}

xml_node add_row_head(xml_node row) {
    xml_node head = add(row, "th");
    head.append_attribute("scope") = "row";
    return head;
}

void add_number(xml_node row, const std::string& text) {
    add_with_text(row, "td", text, "number");
}

void add_overview(xml_node parent, const Run& run) {
    xml_node body =
        add_table(parent, "parts", "The parts of the run, with the number of their tests",
                  {{"part"},
                   {"outcome"},
                   {"passed", "number"},
                   {"failed", "number"},
                   {"skipped", "number"},
                   {"benchmark", "note"}});
    for (const LabReport& lab : run.labs) {
        xml_node row = add(body, "tr");
        xml_node head = add_row_head(row);
        if (lab.variants.empty()) {
            add_text(head, lab.name);
        } else {
            add_with_text(head, "a", lab.name).append_attribute("href") = ("#" + lab.name).c_str();
        }
        add_wording(row, "td", wording_of(lab));
        add_number(row, fmt::to_string(lab.count(Outcome::ok)));
        add_number(row, fmt::to_string(lab.failed_tests()));
        add_number(row, fmt::to_string(lab.count(Outcome::skipped)));
        add_with_text(row, "td", lab.bench, "note");
    }
}

void add_variant(xml_node body, const VariantReport& variant, bool with_times) {
    xml_node row = add(body, "tr");
    add_text(add_row_head(row), variant.name);
    Wording wording = wording_of(variant.outcome);
    wording.word = result_of(variant);
    add_wording(row, "td", wording);
    if (with_times) {
        for (const std::string& number : numbers_of(variant)) add_number(row, number);
    }
    add_with_text(row, "td", note_of(variant), "note");
}

void add_variants(xml_node parent, const LabReport& lab) {
    const bool with_times = !lab.timings.caption.empty();
    std::vector<Column> columns{{"variant"}, {"outcome"}};
    if (with_times) {
        for (const char* name : number_columns) columns.push_back({name, "number"});
    }
    columns.push_back({"note", "note"});
    xml_node body =
        add_table(parent, lab.name + "-variants",
                  with_times ? "Times: " + times_of(lab) : "The variants; none was timed", columns);
    for (const VariantReport& variant : lab.variants) add_variant(body, variant, with_times);
}

// --- Pictures and figures ------------------------------------------------------------------------

void add_image(xml_node parent, const PageImage& image, const std::string& text) {
    xml_node figure = add(parent, "figure", image.is_figure ? "scroll" : nullptr);
    add_with_text(figure, "figcaption", image.heading);
    xml_node node = add(figure, "img", image.is_figure ? "figure" : nullptr);
    node.append_attribute("src") = image.uri.c_str();
    node.append_attribute("alt") = printable(text).c_str();
}

xml_node add_fold(xml_node parent, const char* heading, const std::string& text, bool open) {
    xml_node fold = add(parent, "details");
    if (open) fold.append_attribute("open") = "open";
    add_with_text(add(fold, "summary"), heading, text);
    return fold;
}

/// First the sheet with all of them, then the pictures in full size.
void add_pictures(xml_node parent, const LabReport& lab) {
    const auto images = read_images(lab.folder / "pictures");
    const auto is_sheet = [](const PageImage& image) {
        return image.name == "before-after" || image.is_figure;
    };
    if (images.empty()) return;
    xml_node fold = add_fold(parent, "h3", "Pictures", true);
    for (const PageImage& image : images) {
        if (is_sheet(image)) add_image(fold, image, lab.name + ", " + image.heading);
    }
    const auto singles = std::count_if(images.begin(), images.end(), std::not_fn(is_sheet));
    if (singles == 0) return;
    xml_node more = add_fold(fold, "span", fmt::format("One by one ({})", singles), false);
    xml_node gallery = add(more, "div", "gallery small");
    for (const PageImage& image : images) {
        if (!is_sheet(image)) add_image(gallery, image, "Picture: " + image.heading);
    }
}

void add_figures(xml_node parent, const LabReport& lab) {
    const auto images = read_images(lab.folder / "figures");
    if (images.empty()) return;
    xml_node gallery = add(add_fold(parent, "h3", fmt::format("Figures ({})", images.size()), true),
                           "div", "gallery");
    for (const PageImage& image : images) add_image(gallery, image, "Figure: " + image.heading);
}

// --- The page ------------------------------------------------------------------------------------

void add_head(xml_node page, const Run& run) {
    xml_node head = add(page, "head");
    add(head, "meta").append_attribute("charset") = "utf-8";
    xml_node viewport = add(head, "meta");
    viewport.append_attribute("name") = "viewport";
    viewport.append_attribute("content") = "width=device-width, initial-scale=1";
    add_with_text(head, "title",
                  fmt::format("{} Course labs, {}", run.ok() ? "✓" : "✗ FAILED:", run.mode));
    add_with_text(head, "style", page_style);
}

/// "2026-01-31T12:00:00Z" as "2026-01-31 12:00:00 UTC".
std::string in_words(std::string timestamp) {
    if (!timestamp.ends_with('Z')) return timestamp;
    std::replace(timestamp.begin(), timestamp.end(), 'T', ' ');
    return timestamp.replace(timestamp.size() - 1, 1, " UTC");
}

void add_facts(xml_node parent, const Run& run) {
    xml_node list = add(parent, "dl", "facts");
    const auto fact = [&](const char* name, const std::string& value) {
        add_with_text(list, "dt", name);
        add_with_text(list, "dd", value);
    };
    fact("mode", "run_all.sh " + run.mode);
    fact("when", in_words(run.when));
    fact("CPU", run.machine.cpu);
    fact("GPU", run.machine.gpu);
    fact("compiler", run.machine.compiler);
    fact("commit", run.machine.commit);
}

void add_failures(xml_node parent, const Run& run) {
    add_with_text(parent, "h2", "What failed");
    xml_node list = add(parent, "ul", "failures");
    for (const LabReport& lab : run.labs) {
        for (const Failure& failure : failures(lab)) {
            xml_node item = add(list, "li");
            add_with_text(item, "span", failure.where, "where");
            add_text(item, " ");
            add_wording(item, "span", {"bad outcome", "✗", failure.what});
            add_with_text(item, "code", failure.message);
        }
    }
}

void add_lab(xml_node parent, const LabReport& lab) {
    xml_node section = add(parent, "section");
    section.append_attribute("id") = lab.name.c_str();
    add_with_text(section, "h2", lab.name);
    xml_node line = add(section, "p");
    add_wording(line, "span", wording_of(lab));
    add_text(line, ": " + describe_tests(lab));
    if (const auto noise = noise_of(lab); !noise.empty()) {
        add_with_text(section, "p", noise, "verdict bad");
    }
    add_variants(section, lab);
    if (lab.bench.empty()) return;  // what figures there are would be an earlier run's
    add_pictures(section, lab);
    add_figures(section, lab);
    if (!lab.figures.starts_with("ok")) {
        add_with_text(section, "p",
                      "Figures: " + (lab.figures.empty() ? "not drawn" : lab.figures));
    }
}

void add_body(xml_node page, const Run& run) {
    xml_node body = add(add(page, "body"), "main");
    add_with_text(body, "h1", "Parallel image processing: a run of the labs");
    xml_node line = add(body, "p", run.ok() ? "verdict good" : "verdict bad");
    add_sign(line, run.ok() ? "✓" : "✗");
    add_text(line, verdict(run));
    add_facts(body, run);
    if (!run.ok()) add_failures(body, run);
    add_with_text(body, "h2", "Overview");
    add_overview(body, run);
    for (const LabReport& lab : run.labs) {
        if (!lab.variants.empty()) add_lab(body, lab);
    }
    add_with_text(add(body, "footer"), "p",
                  "Kernel ms: the algorithm alone, without transfers; after the ± the spread, the "
                  "interquartile range over the median. Speedup: over the lab's "
                  "sequential variant. % of copy: the rate of memory traffic, over that of a plain "
                  "copy on the same memory in the same run. The measurements are in the CSV files "
                  "of the output folder.",
                  "quiet");
}

}  // namespace

std::string as_html(const Run& run) {
    pugi::xml_document document;
    document.append_child(pugi::node_doctype).set_value("html");
    xml_node page = document.append_child("html");
    page.append_attribute("lang") = "en";
    add_head(page, run);
    add_body(page, run);
    std::ostringstream text;
    document.save(text, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
    return text.str();
}

}  // namespace harness::summary
