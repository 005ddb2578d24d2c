#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "check/output.hpp"
#include "sandbox/process.hpp"

namespace {

using grading::GradedVariant;
using grading::printable;

TEST(Printable, keeps_text_and_lines) {
    EXPECT_EQ(printable("a\tb\nc \xC3\xA4 \xE2\x80\x98x\xE2\x80\x99"),
              "a\tb\nc \xC3\xA4 \xE2\x80\x98x\xE2\x80\x99");
}

TEST(Printable, drops_what_moves_a_terminal_or_hides_text) {
    EXPECT_EQ(printable("\x1b[31mred\r\b"), "[31mred");
    EXPECT_EQ(printable("a\xC2\x9B"
                        "b"),
              "ab");  // control sequence introducer
    EXPECT_EQ(printable("a\xE2\x80\xAE"
                        "b"),
              "ab");  // right-to-left override
    EXPECT_EQ(printable(std::string("a\0b", 3)), "ab");
}

TEST(Printable, replaces_bytes_that_are_no_text) {
    EXPECT_EQ(printable("a\xFF"
                        "b\xC3"),
              "a?b?");
}

TEST(Printable, drops_what_xml_does_not_take) {
    EXPECT_EQ(printable("a\xEF\xBF\xBF-\xEF\xBF\xBE-\xEF\xB7\x90z"), "a--z");  // U+FFFF, U+FFFE
    EXPECT_EQ(printable("a\xEF\xBB\xBF\xE2\x81\xA6\xF3\xA0\x80\x81z"), "az");  // no width
    for (const char* text : {"\xED\xA0\x80",         // half of a surrogate pair
                             "\xC0\x80",             // overlong: a zero in two bytes
                             "\xC1\xBC",             // overlong: '|'
                             "\xE0\x80\xBC",         // overlong: '<'
                             "\xF0\x80\x80\xBC",     // overlong: '<'
                             "\xF4\x90\x80\x80"}) {  // beyond U+10FFFF
        const std::string said = printable(text);
        EXPECT_EQ(said.find_first_not_of('?'), std::string::npos) << said;
        EXPECT_FALSE(said.empty());
    }
}

TEST(Printable, is_cut_between_characters) {
    EXPECT_LE(printable(std::string(100, 'a'), 10).size(), 10u);
    EXPECT_EQ(printable("aa\xC3\xA4", 3), "aa");
}

TEST(Status, names_a_signal_that_bubblewrap_passes_on) {
    EXPECT_EQ(grading::describe_status(139 << 8), "signal 11 (Segmentation fault)");
    EXPECT_EQ(grading::describe_status(11), "signal 11 (Segmentation fault)");
    EXPECT_EQ(grading::describe_status(3 << 8), "exit code 3");
}

TEST(Feedback, escapes_what_a_student_has_written) {
    grading::Grade grade{.lab = "lab1", .variants = {}, .items = {}, .facts = {}};
    grade.variants.push_back({"omp_a", "omp_a.cpp", "wrong", "<script>alert('\"&')</script>"});
    const std::string page = grading::feedback_of(grade);
    EXPECT_EQ(page.find("<script>"), std::string::npos);
    EXPECT_NE(page.find("&lt;script&gt;alert('\"&amp;')"), std::string::npos);
}

TEST(Feedback, keeps_lines_and_says_what_is_missing) {
    grading::Grade grade{.lab = "lab1", .variants = {}, .items = {}, .facts = {}};
    grade.items.push_back({.name = "sizes", .most = 1, .text = "wrong:\n1 <2\n3  4"});
    grade.items.push_back({.name = "random", .most = 1, .hidden = true, .text = "a\nsecret"});
    grade.items.push_back(
        {.name = "random", .most = 1, .hidden = true, .text = "not handed in", .is_missing = true});
    const std::string page = grading::feedback_of(grade);
    for (const char* cell : {"<td><pre>wrong:\n1 &lt;2\n3  4</pre></td>", "<td>failed</td>",
                             "<td>not handed in</td>"}) {
        EXPECT_NE(page.find(cell), std::string::npos) << cell << '\n' << page;
    }
    EXPECT_EQ(page.find("secret"), std::string::npos);
}

TEST(Feedback, shows_the_largest_picture_but_none_of_a_hidden_test) {
    const std::string folder = testing::TempDir();
    const auto written = [&](const std::string& name, const std::string& bytes) {
        std::ofstream(folder + name) << bytes;
        return folder + name;
    };
    GradedVariant variant{"omp_a", "omp_a.cpp", "wrong", ""};
    variant.tests = {{"a", "wrong", "", written("a.png", "Man"), false, 1},
                     {"b", "wrong", "", written("b.png", "Mandy"), false, 1},
                     {"c", "wrong", "", written("c.png", "Mandolin"), true, 1}};
    const std::string page =
        grading::feedback_of({.lab = "lab1", .variants = {variant}, .items = {}, .facts = {}});
    EXPECT_NE(page.find("base64,TWFuZHk=\""), std::string::npos) << page;
    EXPECT_EQ(page.find("TWFuZG9"), std::string::npos);
}

TEST(Junit, escapes_too) {
    grading::Grade grade{.lab = "lab1", .variants = {}, .items = {}, .facts = {}};
    grade.variants.push_back({"omp_a", "omp_a.cpp", "wrong", "</failure><x>"});
    EXPECT_EQ(junit_of(grade).find("<x>"), std::string::npos);
}

/// The content of a file that write_output wrote.
std::string written(const grading::Grade& grade, const char* name) {
    const std::filesystem::path folder = testing::TempDir() + "output" + std::to_string(getpid());
    grading::remove_output(folder);
    grading::write_output(grade, folder);
    std::stringstream content;
    content << std::ifstream(folder / name).rdbuf();
    std::filesystem::remove_all(folder);
    return content.str();
}

TEST(Output, is_xml_whatever_a_student_has_printed) {
    grading::Grade grade{.lab = "lab1", .variants = {}, .items = {}, .facts = {}};
    const std::string text = "a\xEF\xBF\xBF\xED\xA0\x80\xC0\x80\x01]]>\xF4\x90\x80\x80";
    grade.variants.push_back({"omp_a", "omp_a.cpp", "wrong", text});
    grade.variants.back().tests = {{"sizes", "wrong", text, "", false, 1}};
    const std::string file = testing::TempDir() + "junit" + std::to_string(getpid()) + ".xml";
    std::ofstream(file) << written(grade, "junit.xml");
    EXPECT_EQ(std::system(("xmllint --noout " + file).c_str()), 0);
    std::ofstream(file) << written(grade, "feedback.html");
    EXPECT_EQ(std::system(("xmllint --html --noout " + file).c_str()), 0);
    std::filesystem::remove(file);
    EXPECT_TRUE(nlohmann::json::accept(written(grade, "results.json")));
}

TEST(Output, is_less_than_1_mb) {
    grading::Grade grade{.lab = "lab1", .variants = {}, .items = {}, .facts = {}};
    const std::string text(60'000, '"');
    for (int i = 0; i < 17; ++i) {
        grade.variants.push_back({"omp_a", "omp_a.cpp", "wrong", text});
        for (int j = 0; j < 30; ++j) {
            grade.variants.back().tests.push_back({"sizes", "wrong", text, "", false, 1});
            grade.items.push_back({.name = "sizes", .most = 1, .text = text});
        }
    }
    for (const char* name : {"results.json", "junit.xml", "feedback.html"}) {
        const std::string content = written(grade, name);
        EXPECT_LT(content.size(), 1'000'000u) << name;
        EXPECT_GT(content.size(), 10'000u) << name;
    }
}

TEST(Results, have_gradescopes_fields) {
    grading::Grade grade{.lab = "lab1", .variants = {}, .items = {}, .facts = {}};
    grade.items.push_back(
        {.name = "sizes", .task = "A omp_rows", .points = 2, .most = 2, .passed = true});
    grade.items.push_back({.name = "x", .points = 0, .most = 3, .hidden = true, .text = "secret"});
    const auto results = results_of(grade);
    EXPECT_EQ(results["score"], 2.0);
    EXPECT_EQ(results["tests"][0]["name"], "A omp_rows: sizes");
    EXPECT_EQ(results["tests"][0]["max_score"], 2.0);
    EXPECT_EQ(results["tests"][0]["status"], "passed");
    EXPECT_EQ(results["tests"][1]["status"], "failed");
    EXPECT_EQ(results["tests"][1]["output"], "");  // hidden
}

}  // namespace
