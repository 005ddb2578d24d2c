// labs_summary on output folders as run_all.sh leaves them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/testing.hpp"
#include "report.hpp"
#include "words.hpp"

namespace {

namespace fs = std::filesystem;
using harness::summary::LabReport;
using harness::summary::numbers_of;
using harness::summary::Outcome;
using harness::summary::Timings;
using harness::summary::VariantReport;
using testing::HasSubstr;
using testing::Not;

class Summary : public testing::Test {
  protected:
    const fs::path folder_ = harness::test_folder() / "lab7-test";

    void SetUp() override {
        write("state", "build ok\nbench ok\nfigures ok: 1\nfinished yes\n");
        write("built.txt", "seq\nomp_new\npeer_library\n");
        write("variants.json",
              R"([{"name": "seq", "backend": "seq", "available": true, "reason": ""},
                  {"name": "omp_new", "backend": "omp", "available": true, "reason": ""},
                  {"name": "peer_library", "backend": "peer", "available": true, "reason": ""}])");
        for (const char* variant : {"seq", "omp_new", "peer_library"}) {
            passed(variant, "configurations: 20 checked, 0 refused");
        }
    }
    void TearDown() override { fs::remove_all(folder_.parent_path()); }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }

    /// A test of `variant`, as it stands in CTest's JUnit file.
    void add_test(const std::string& variant, const std::string& status, const std::string& inside,
                  const std::string& output) {
        tests_ += fmt::format(
            R"(<testcase name="lab7.{}.T.t/{}" time="0.1" status="{}">{}<system-out>{}
</system-out></testcase>)",
            ++count_, variant, status, inside, output);
    }
    void passed(const std::string& variant, const std::string& output) {
        add_test(variant, "run", "", output + "\n[  PASSED  ] 1 test.");
    }

    LabReport read() const {
        write("ctest.xml", "<testsuite>" + tests_ + "</testsuite>");
        return harness::summary::read_lab(folder_);
    }
    VariantReport variant(const std::string& name) const {
        for (const VariantReport& found : read().variants) {
            if (found.name == name) return found;
        }
        return {.name = "there is no such variant"};
    }

    std::string tests_;
    int count_ = 0;
};

TEST_F(Summary, is_ok_if_all_is_well) {
    write("ctest.log", "");
    EXPECT_EQ(read().status(), "ok");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::ok);
    EXPECT_EQ(note_of(variant("omp_new")), "");
}

TEST_F(Summary, counts_what_a_variant_refused) {
    passed("omp_new", "configurations: 1 checked, 20 refused (first: blocks (of 1x1))");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::ok);
    EXPECT_EQ(note_of(variant("omp_new")),
              "refused 20 of 41 configurations (first: blocks (of 1x1))");
    EXPECT_EQ(read().status(), "ok");
}

TEST_F(Summary, a_variant_that_takes_one_size_only_is_refused) {
    passed("omp_new", "configurations: 1 checked, 22 refused (first: 64x64 only)");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::refused);
    EXPECT_EQ(note_of(variant("omp_new")), "22 of 43 configurations (first: 64x64 only)");
    EXPECT_EQ(read().status(), "failed");
    EXPECT_EQ(failing_variants(read()), "omp_new");
    EXPECT_THAT(describe_tests(read()), HasSubstr("omp_new refused 22 of 43"));
}

TEST_F(Summary, a_library_may_refuse) {
    passed("peer_library", "configurations: 1 checked, 22 refused (first: 64x64 only)");
    EXPECT_EQ(variant("peer_library").outcome, Outcome::ok);
}

TEST_F(Summary, a_variant_that_refuses_everything_is_refused) {
    tests_.clear();
    for (const char* other : {"seq", "peer_library"}) passed(other, "");
    add_test("omp_new", "notrun", R"(<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>)",
             "configurations: 0 checked, 9 refused (first: no)\n"
             "skipped: refused all 9 configurations: no");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::refused);
    EXPECT_THAT(describe_tests(read()), HasSubstr("2 tests passed, 1 skipped;"));
    EXPECT_EQ(variant("seq").outcome, Outcome::ok);
}

TEST_F(Summary, a_task_that_is_not_begun_is_not_done_yet) {
    add_test("omp_new", "notrun", R"(<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>)",
             "configurations: 0 checked, 0 refused\nskipped: not done yet");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::not_done);
    EXPECT_EQ(variant("omp_new").message, "");
    EXPECT_EQ(read().status(), "ok");
    EXPECT_EQ(failing_variants(read()), "");
    EXPECT_THAT(describe_tests(read()), HasSubstr("3 tests passed, 1 not done yet"));
    const harness::summary::Run run{.mode = "--quick", .labs = {read()}};
    EXPECT_THAT(as_markdown(run), HasSubstr("| omp_new | yes | not done yet | - | - | - |  |"));
    EXPECT_THAT(as_json(run), HasSubstr(R"("status": "not done yet")"));
    EXPECT_THAT(as_html(run), HasSubstr("</span> not done yet</td>"));
}

TEST_F(Summary, a_test_that_never_came_to_its_end_is_a_crash) {
    const std::string missing =
        "<failure message=\"Required regular expression not found. Regex=[PASSED]\"/>";
    write("ctest.log", "\t  4 - lab7.4.T.t/omp_new (Failed)\n\t  5 - lab7.5.T.t/seq (Failed)\n");
    add_test("omp_new", "fail", missing, "[ RUN      ] T.t/omp_new");
    add_test("seq", "fail", missing,
             "a.cpp:1: Failure\nFailed\nWRONG seq on 1x1\n\n[  FAILED  ] T.t/seq");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::crash);
    EXPECT_THAT(variant("omp_new").message,
                HasSubstr("it ended the program (exit) before the test was over"));
    EXPECT_EQ(variant("seq").outcome, Outcome::wrong);
}

TEST_F(Summary, a_device_fault_is_a_crash) {
    add_test("omp_new", "fail", "<failure message=\"Failed\"/>",
             "a.cpp:1: Failure\nFailed\nomp_new on 1x1: CUDA: misaligned address (a.cu:3)\n\n"
             "[  FAILED  ] T.t/omp_new");
    add_test("seq", "fail", "<failure message=\"Failed\"/>",
             "a.cpp:1: Failure\nFailed\nseq on 1x1: CUDA: out of memory (a.cu:3)\n\n[  FAILED  ]");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::crash);
    EXPECT_THAT(variant("omp_new").message, HasSubstr("misaligned address"));
    EXPECT_EQ(variant("seq").outcome, Outcome::failed);
}

TEST_F(Summary, names_who_ends_the_program_before_main) {
    write("not_loaded/omp_new", "it ends the program before main() (exit code 0)\n");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::crash);
    EXPECT_EQ(variant("omp_new").message, "it ends the program before main() (exit code 0)");
    EXPECT_FALSE(variant("omp_new").built);
    EXPECT_EQ(failing_variants(read()), "") << "it is not in the program, and not to be excluded";
}

TEST_F(Summary, a_program_that_lists_no_variants_is_no_success) {
    write("variants.json", "{\"half\": ");
    EXPECT_EQ(read().status(), "failed");
    EXPECT_EQ(read().trouble, "its program lists no variants; see variants.json");
    write("list.log", "error: the disk is on fire\nmore\n");
    EXPECT_EQ(read().trouble, "its program lists no variants: error: the disk is on fire");
    write("not_compiled/omp_other.log", "");
    EXPECT_FALSE(read().listed);
}

TEST_F(Summary, reads_the_complaints_of_the_benchmark) {
    const auto after = [this](const std::string& what) {
        write("bench.log", "a note\nlab7-test omp_new 64x48 filter=box3;threads=2: " + what + "\n");
        return variant("omp_new").outcome;
    };
    EXPECT_EQ(after("WRONG in timed repeat 3: 5 of 9 values wrong"), Outcome::wrong);
    EXPECT_EQ(after("CRASH: it ended the program with exit code 0"), Outcome::crash);
    EXPECT_EQ(after("not enough memory"), Outcome::failed);
    EXPECT_EQ(variant("omp_new").message,
              "in the benchmark: omp_new 64x48 filter=box3;threads=2: not enough memory");
    EXPECT_EQ(variant("seq").outcome, Outcome::ok);
}

TEST_F(Summary, a_benchmark_has_to_leave_whole_files) {
    write("bench_help.txt",
          "Positionals:\n  EXPERIMENT TEXT ...         default: all, which are\n"
          "                                sizes: time against size\n"
          "                                masks: time against mask size\nOptions:\n"
          "  --filter                    one of: these\n");
    write("csv/sizes.csv", "a\n");
    EXPECT_EQ(read().bench, "failed: it wrote no masks.csv");
    EXPECT_EQ(read().status(), "failed");
    write("csv/masks.csv", "a\n");
    EXPECT_EQ(read().bench, "ok");
    write("csv/masks.csv.partial", "a\n");
    EXPECT_EQ(read().bench, "failed: it left masks.csv.partial behind");
    fs::remove_all(folder_ / "csv");
    write("csv/sizes.csv", "a\n");
    write("state", "build ok\nbench_arguments --repeats 20 sizes\nbench ok\nfinished yes\n");
    EXPECT_EQ(read().bench, "ok");
}

// --- Noise ---------------------------------------------------------------------------------------

struct Noise {
    std::string variant, spread, disturbed;
};

class NoisySummary : public Summary {
  protected:
    Timings timings(const std::vector<Noise>& rows, bool with_columns = true) const {
        const std::string more = with_columns ? ",spread,disturbed" : "";
        std::string csv =
            "experiment,variant,backend,width,height,channels,parameters,kernel_ms_mean,"
            "percent_of_copy,speedup_kernel,cpu,gpu,compiler" +
            more + "\n";
        for (const Noise& row : rows) {
            const std::string backend = row.variant.substr(0, row.variant.find('_'));
            csv += fmt::format("sizes,{},{},9,9,1,,2.5,40,3,c,g,k", row.variant, backend);
            csv += with_columns ? fmt::format(",{},{}\n", row.spread, row.disturbed) : "\n";
        }
        write("csv/sizes.csv", csv);
        return harness::summary::read_timings(folder_ / "csv");
    }
};

TEST_F(NoisySummary, a_quiet_row_has_its_ratios) {
    const Timings quiet = timings({{"seq", "0.25", "0.7"}, {"omp_new", "0.04", "0"}});
    EXPECT_EQ(quiet.fastest.at("omp_new").noise, "");
    EXPECT_EQ(quiet.fastest.at("omp_new").speedup, 3);
    EXPECT_EQ(numbers_of({.name = "omp_new", .timing = quiet.fastest.at("omp_new")}),
              (std::vector<std::string>{"2.500 ± 4 %", "3.00", "40.0"}));
    EXPECT_FALSE(quiet.too_noisy_to_rank());
}

TEST_F(NoisySummary, a_noisy_row_has_none) {
    const Timings noisy = timings({{"seq", "0.1", "0"},
                                   {"omp_new", "0.43", "0"},
                                   {"omp_other", "0.01", "0.8"},
                                   {"cuda_a", "0", "0"},
                                   {"cuda_b", "0", "0"},
                                   {"cuda_c", "0", "0"}});
    EXPECT_EQ(noisy.fastest.at("omp_new").noise, "too noisy: its times spread by 43 %");
    EXPECT_EQ(numbers_of({.name = "omp_new", .timing = noisy.fastest.at("omp_new")}),
              (std::vector<std::string>{"2.500 ± 43 %", "-", "-"}));
    EXPECT_EQ(noisy.fastest.at("omp_other").noise,
              "too noisy: other work disturbed 80 % of its repeats");
    EXPECT_EQ(noisy.fastest.at("cuda_a").speedup, 3);
    EXPECT_FALSE(noisy.too_noisy_to_rank()) << "2 of 6 are a third, not more";
}

TEST_F(NoisySummary, a_noisy_baseline_removes_every_speedup) {
    const Timings noisy = timings({{"seq", "0.5", "0"}, {"omp_new", "0.04", "0"}});
    EXPECT_EQ(noisy.fastest.at("omp_new").noise, "too noisy: seq's times spread by 50 %");
    EXPECT_FALSE(noisy.fastest.at("omp_new").speedup);
    EXPECT_EQ(noisy.fastest.at("omp_new").percent_of_copy, 40) << "it is no ratio to the baseline";
    EXPECT_TRUE(noisy.too_noisy_to_rank());
}

/// The benchmark leaves ratios empty too.
TEST_F(NoisySummary, a_missing_rate_of_copy_has_a_reason) {
    const std::string quiet = "sizes,omp_new,omp,9,9,1,,2.5,,3,c,g,k,0.04,0,";
    for (const char* copy : {"150", ""}) {
        write("csv/sizes.csv",
              "experiment,variant,backend,width,height,channels,parameters,kernel_ms_mean,"
              "percent_of_copy,speedup_kernel,cpu,gpu,compiler,spread,disturbed,copy_gb_per_s\n" +
                  quiet + copy + "\n");
        EXPECT_EQ(harness::summary::read_timings(folder_ / "csv").fastest.at("omp_new").noise,
                  *copy != 0 ? "too noisy: the copy that was measured beside it" : "");
    }
}

TEST_F(NoisySummary, says_so_in_every_form) {
    timings({{"seq", "0.5", "0"}, {"omp_new", "0.04", "0"}});
    write("bench_help.txt", "");
    const harness::summary::Run run{.mode = "--quick", .labs = {read()}};
    const std::string rank = "this run is too noisy to rank its variants";
    for (const std::string& text : {as_terminal(run, false), as_markdown(run), as_html(run)}) {
        EXPECT_THAT(text, HasSubstr(rank));
        EXPECT_THAT(text, HasSubstr("2.500 ± 4 %"));
        EXPECT_THAT(text, Not(HasSubstr("3.00")));
    }
    const auto json = nlohmann::json::parse(as_json(run))["labs"]["lab7-test"];
    EXPECT_EQ(json["noise"], rank);
    EXPECT_TRUE(json["variants"]["omp_new"]["speedup"].is_null());
    EXPECT_EQ(json["variants"]["omp_new"]["noise"], "too noisy: seq's times spread by 50 %");
    EXPECT_EQ(json["variants"]["omp_new"]["spread"], 0.04);
}

TEST_F(NoisySummary, older_files_have_no_spread) {
    const Timings old = timings({{"seq", "", ""}, {"omp_new", "", ""}}, false);
    EXPECT_EQ(numbers_of({.name = "omp_new", .timing = old.fastest.at("omp_new")}),
              (std::vector<std::string>{"2.500", "3.00", "40.0"}));
    EXPECT_FALSE(old.too_noisy_to_rank());
}

TEST_F(Summary, says_that_a_result_is_emulated) {
    write("variants.json",
          R"([{"name": "cuda_new", "backend": "cuda", "available": true, "emulated": true}])");
    write("built.txt", "cuda_new\n");
    passed("cuda_new", "configurations: 20 checked, 0 refused");
    const harness::summary::Run run{.mode = "--quick", .labs = {read()}};
    EXPECT_THAT(describe_tests(run.labs[0]), HasSubstr("4 tests passed (1 emulated)"));
    EXPECT_THAT(as_markdown(run), HasSubstr("| cuda_new | yes | correct (emulated) | - | - | - |"));
    EXPECT_THAT(as_terminal(run, false),
                testing::ContainsRegex("yes +correct .emulated. +- +- +-"));
    EXPECT_THAT(as_html(run), HasSubstr("</span> correct (emulated)</td>"));
    const auto json = nlohmann::json::parse(as_json(run));
    const auto& variant = json["labs"]["lab7-test"]["variants"]["cuda_new"];
    EXPECT_EQ(variant["status"], "ok");
    EXPECT_EQ(variant["result"], "correct (emulated)");
    EXPECT_TRUE(variant["kernel_ms"].is_null());
    write_junit(run, folder_ / "junit.xml");
    std::ifstream junit(folder_ / "junit.xml");
    const std::string text{std::istreambuf_iterator<char>(junit), {}};
    EXPECT_THAT(text, HasSubstr("value=\"correct (emulated)\""));
}

TEST_F(Summary, counts_what_was_not_emulated_as_not_refused) {
    passed("omp_new", "configurations: 10 checked, 40 refused (first: no)");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::refused);
    passed("omp_new", "configurations: 1 checked, 0 refused\ntoo much to be emulated: 9");
    EXPECT_EQ(variant("omp_new").outcome, Outcome::ok);
}

TEST_F(Summary, calls_a_fault_of_the_emulation_wrong) {
    write("variants.json",
          R"([{"name": "cuda_new", "backend": "cuda", "available": true, "emulated": true}])");
    add_test("cuda_new", "fail", R"(<failure message="" />)",
             "x.cpp:1: Failure\nFailed\nWRONG cuda_new on 1x1x3 (): misaligned: a 4-byte store\n"
             "[  FAILED  ] 1 test");
    EXPECT_EQ(variant("cuda_new").outcome, Outcome::wrong);
    EXPECT_EQ(result_of(variant("cuda_new")), "wrong");
    EXPECT_THAT(variant("cuda_new").message, HasSubstr("misaligned: a 4-byte store"));
}

}  // namespace
