// The page of run_all.sh, index.html, which is read as XML.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <pugixml.hpp>

#include "harness/testing.hpp"
#include "html_images.hpp"
#include "report.hpp"

namespace {

namespace fs = std::filesystem;
using harness::summary::Outcome;
using harness::summary::VariantReport;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Base64, is_that_of_rfc_4648) {
    EXPECT_EQ(harness::summary::base64(""), "");
    EXPECT_EQ(harness::summary::base64("f"), "Zg==");
    EXPECT_EQ(harness::summary::base64("fo"), "Zm8=");
    EXPECT_EQ(harness::summary::base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(harness::summary::base64("\xff\xfe\xfd"), "//79");
}

class Page : public testing::Test {
  protected:
    const fs::path folder_ = harness::test_folder();
    harness::summary::Run run_{.mode = "--quick",
                               .labs = {},
                               .when = "2026-01-31T12:00:00Z",
                               .machine = {"a CPU", "none", "g++ 12", "abc123"}};

    void SetUp() override {
        run_.labs.push_back({.name = "lab7-test",
                             .folder = folder_,
                             .trouble = "",
                             .build = "ok",
                             .bench = "ok",
                             .figures = "ok: 1",
                             .finished = true,
                             .variants = {{.name = "seq", .built = true, .outcome = Outcome::ok}},
                             .tests = {{.name = "lab7.T.sizes/seq"}},
                             .timings = {.caption = "sizes, 9x9x1", .machine = "", .fastest = {}}});
    }
    void TearDown() override { fs::remove_all(folder_); }

    harness::summary::LabReport& lab() { return run_.labs.front(); }

    void add(const VariantReport& variant) { lab().variants.push_back(variant); }

    void write(const std::string& name, const std::string& bytes) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }

    /// The page as a tree; a test fails if it is not well-formed.
    pugi::xml_document page() const {
        pugi::xml_document document;
        const auto result =
            document.load_string(as_html(run_).c_str(), pugi::parse_full | pugi::parse_ws_pcdata);
        EXPECT_TRUE(result) << result.description();
        return document;
    }

    /// The text of a node.
    static std::string text_of(const pugi::xml_node& node) {
        return pugi::xpath_query("normalize-space(.)").evaluate_string(node);
    }

    /// The captions of all pictures and figures, from the top of the page.
    std::vector<std::string> captions() const {
        const auto document = page();
        std::vector<std::string> captions;
        for (const auto& found : document.select_nodes("//figure/figcaption")) {
            captions.push_back(text_of(found.node()));
        }
        return captions;
    }

    /// The cells of a variant's row.
    std::vector<std::string> row_of(const std::string& variant) const {
        const auto document = page();
        const std::string path = "//tr[th[@scope='row']='" + variant + "']/td";
        std::vector<std::string> cells;
        for (const auto& cell : document.select_nodes(path.c_str())) {
            cells.push_back(text_of(cell.node()));
        }
        return cells;
    }
};

TEST_F(Page, says_first_whether_all_is_well) {
    auto document = page();
    EXPECT_EQ(document.document_element().attribute("lang").value(), std::string("en"));
    EXPECT_EQ(text_of(document.select_node("//h1/following-sibling::*[1]").node()),
              "✓ Everything that can run here passed.");
    EXPECT_FALSE(document.select_node("//h2[.='What failed']"));

    lab().variants.front().outcome = Outcome::wrong;
    document = page();
    EXPECT_EQ(text_of(document.select_node("//h1/following-sibling::*[1]").node()),
              "✗ FAILED: 1 of 1 parts (lab7-test: failed).");
    EXPECT_THAT(text_of(document.select_node("//title").node()), StartsWith("✗ FAILED"));
    EXPECT_TRUE(document.select_node("//h2[.='What failed']"));
}

TEST_F(Page, names_the_run_and_the_machine) {
    const auto document = page();
    EXPECT_THAT(text_of(document.select_node("//dl").node()),
                testing::AllOf(HasSubstr("run_all.sh --quick"),
                               HasSubstr("2026-01-31 12:00:00 UTC"), HasSubstr("a CPU"),
                               HasSubstr("none"), HasSubstr("g++ 12"), HasSubstr("abc123")));
}

TEST_F(Page, has_a_row_for_every_variant) {
    add({.name = "omp_fast",
         .built = true,
         .outcome = Outcome::ok,
         .timing{{.kernel_ms = 1.5,
                  .speedup = 12.345,
                  .percent_of_copy = 50.04,
                  .parameters = "",
                  .elsewhere = "sizes, 5x5x1"}}});
    add({.name = "cuda_best", .outcome = Outcome::skipped, .message = "no GPU"});
    add({.name = "omp_hangs", .outcome = Outcome::timeout, .message = "killed after 60 s"});
    EXPECT_THAT(row_of("seq"), ElementsAre("✓ correct", "-", "-", "-", "-"));
    EXPECT_THAT(row_of("omp_fast"),
                ElementsAre("✓ correct", "1.500", "12.35", "50.0", "time at sizes, 5x5x1"));
    EXPECT_THAT(row_of("cuda_best"), ElementsAre("– skipped", "-", "-", "-", "no GPU"));
    EXPECT_THAT(row_of("omp_hangs"), ElementsAre("✗ timeout", "-", "-", "-", "killed after 60 s"));
    EXPECT_THAT(text_of(page().select_node("//ul[@class='failures']").node()),
                "lab7-test omp_hangs ✗ timeoutkilled after 60 s");
}

TEST_F(Page, without_a_benchmark_has_tests_only) {
    write("figures/old.svg", "<svg/>");
    lab().bench = lab().figures = lab().timings.caption = "";
    EXPECT_THAT(row_of("seq"), ElementsAre("✓ correct", "-"));
    EXPECT_FALSE(page().select_node("//img")) << "a figure of an earlier run";
}

TEST_F(Page, escapes_whatever_it_shows) {
    const std::string evil = "</td><script>x('\"&amp;')</script>\x1b[31m\u2018\xe2\x80";
    const std::string harmless = "</td><script>x('\"&amp;')</script>[31m\u2018";
    add({.name = "<b>&\"'", .outcome = Outcome::not_compiled, .message = evil});
    lab().tests.push_back({.name = evil, .outcome = Outcome::failed, .message = evil});
    lab().name = lab().figures = evil;
    run_.mode = run_.machine.cpu = evil;
    write("figures/a<b>&'\".svg", "<svg/>");
    EXPECT_THAT(as_html(run_), Not(HasSubstr("<script")));
    const auto document = page();
    EXPECT_FALSE(document.select_node("//script"));
    EXPECT_EQ(text_of(document.select_node("//li[1]/code").node()), harmless);
    EXPECT_EQ(text_of(document.select_node("//tr/th[contains(., '<b>')]").node()), "<b>&\"'");
    EXPECT_EQ(text_of(document.select_node("//figcaption").node()), "a<b>&'\"");
}

TEST_F(Page, holds_its_pictures_in_itself) {
    write("pictures/before-after.png", "\x89PNG");
    write("pictures/edge4.png", "\x89PNG");
    write("pictures/histograms.txt", "no picture");
    write("figures/mask-sizes.svg",
          "<svg><g transform=\"translate(9.0,50.0)\"><text>an axis</text></g>"
          "<g transform=\"translate(3.0,19.0)\"><text><tspan>Time &lt; size</tspan></text></g>"
          "<g transform=\"translate(3.0,34.0)\"><text>the machine</text></g></svg>");
    write("figures/plain.svg", "<svg/>");
    write("figures/torn.svg", "<svg><g");
    EXPECT_THAT(captions(), ElementsAre("Before and after", "edge4", "Time < size", "plain"));
    const auto document = page();
    EXPECT_FALSE(document.select_node("//img[not(string(@alt))]"));
    EXPECT_EQ(document.select_node("//img[1]/@src").attribute().value(),
              std::string("data:image/png;base64,iVBORw=="));
}

TEST_F(Page, shows_first_what_was_before) {
    for (const char* name : {"before-after", "foggy-after", "foggy-before", "bright-after",
                             "bright-before", "before", "a-way-to-do-it"}) {
        write(std::string("pictures/") + name + ".png", "\x89PNG");
    }
    EXPECT_THAT(captions(),
                ElementsAre("Before and after", "before", "a-way-to-do-it", "bright-before",
                            "bright-after", "foggy-before", "foggy-after"));
}

TEST_F(Page, needs_no_network_and_no_script) {
    write("figures/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    write("pictures/a.png", "\x89PNG");
    const std::string text = as_html(run_);
    for (const char* word : {"http", "<script", "<link", "@import", "url(", "javascript"}) {
        EXPECT_THAT(text, Not(HasSubstr(word)));
    }
    const auto document = page();
    for (const auto& found : document.select_nodes("//@src")) {
        EXPECT_THAT(found.attribute().value(), StartsWith("data:image/"));
    }
    for (const auto& found : document.select_nodes("//@href")) {
        const std::string id = found.attribute().value();
        ASSERT_THAT(id, StartsWith("#"));
        EXPECT_TRUE(document.select_node(("//*[@id='" + id.substr(1) + "']").c_str())) << id;
    }
}

TEST_F(Page, has_what_a_screen_reader_goes_by) {
    add({.name = "omp_hangs", .outcome = Outcome::timeout, .message = "killed"});
    write("figures/a.svg", "<svg/>");
    const auto document = page();
    int level = 0;
    for (const auto& found : document.select_nodes("//*[self::h1 or self::h2 or self::h3]")) {
        const int next = found.node().name()[1] - '0';
        EXPECT_LE(next, level + 1) << text_of(found.node());
        level = next;
    }
    EXPECT_FALSE(document.select_node("//th[not(@scope)]"));
    EXPECT_FALSE(document.select_node("//table[not(@aria-labelledby=//p/@id)]"));
    EXPECT_FALSE(document.select_node("//img[not(@alt)]"));
}

/// `<td/>` is a cell in XML, but the start of a cell in HTML.
TEST_F(Page, means_the_same_as_html) {
    add({.name = "", .message = "\x1b"});
    EXPECT_FALSE(page().select_node("//*[not(node())][not(self::img or self::meta)]"));
}

}  // namespace
