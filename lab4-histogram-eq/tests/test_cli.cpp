// The real executable, where this lab differs from the others: colours, and its experiments.

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "common/csv.hpp"
#include "common/image.hpp"
#include "harness/scenes.hpp"
#include "harness/testing_cli.hpp"

namespace {

using harness::Cli;
using harness::Ran;
using testing::HasSubstr;

class EqualizeCli : public Cli {
  protected:
    /// A colour picture in a file, and what becomes of it.
    cv::Mat colour_ = harness::make_scene("landscape", 97, 60, 3);

    cv::Mat result_of(const std::string& options) {
        common::write_image(path("in.png"), colour_);
        const Ran ran = run("run " + path("in.png") + " --verify " + options + to_out());
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.err, "");
        EXPECT_THAT(ran.out, HasSubstr("verified"));
        return common::load_image(path("out.png"));
    }
};

TEST_F(EqualizeCli, colour_becomes_gray_unless_told_otherwise) {
    cv::Mat expected;
    cv::cvtColor(colour_, expected, cv::COLOR_BGR2GRAY);
    cv::equalizeHist(expected, expected);
    for (const char* options : {"", "--color gray", "--variant seq", "--variant peer_opencv"}) {
        const cv::Mat out = result_of(options);
        ASSERT_EQ(out.type(), CV_8UC1) << options;
        EXPECT_EQ(cv::norm(out, expected, cv::NORM_INF), 0) << options;
    }
}

TEST_F(EqualizeCli, luma_keeps_the_colours) {
    cv::Mat expected;
    cv::cvtColor(colour_, expected, cv::COLOR_BGR2YCrCb);
    std::vector<cv::Mat> planes;
    cv::split(expected, planes);
    cv::equalizeHist(planes[0], planes[0]);
    cv::merge(planes, expected);
    cv::cvtColor(expected, expected, cv::COLOR_YCrCb2BGR);
    for (const char* variant : {"seq", "peer_opencv"}) {
        const cv::Mat out = result_of("--color luma --variant " + std::string(variant));
        ASSERT_EQ(out.type(), CV_8UC3) << variant;
        EXPECT_EQ(cv::norm(out, expected, cv::NORM_INF), 0) << variant;
    }
}

TEST_F(EqualizeCli, luma_of_a_gray_picture_is_gray) {
    cv::cvtColor(colour_, colour_, cv::COLOR_BGR2GRAY);
    EXPECT_EQ(result_of("--color luma").type(), CV_8UC1);
}

TEST_F(EqualizeCli, bad_usage_is_one_line_and_exit_code_2) {
    const std::string scene = "run scene:landscape:16x16" + to_out();
    expect_refused(scene + " --color sepia", "--color");
    expect_refused(scene + " --variant cuda_nosuch", "cuda_global_atomics");
    expect_refused(scene + " --block 0x8", "0x8");
    expect_refused("bench images --color luma", "--color");
    expect_refused("run scene:skewed:16x16" + to_out(), "unknown scene 'skewed'");
}

/// The column of that name.
std::vector<std::string> column(const std::vector<std::vector<std::string>>& rows,
                                const std::string& name) {
    const auto at = std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin();
    std::vector<std::string> values;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        values.push_back(rows[i].at(static_cast<std::size_t>(at)));
    }
    return values;
}

TEST_F(EqualizeCli, the_input_can_be_kept) {
    const std::string scene = "run scene:foggy:48x32" + to_out();
    const Ran ran = run(scene + " --save-input " + path("before.png"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    cv::Mat before = harness::make_scene("foggy", 48, 32, 3);
    cv::cvtColor(before, before, cv::COLOR_BGR2GRAY);
    const cv::Mat kept = common::load_image(path("before.png"));
    ASSERT_EQ(kept.type(), CV_8UC1);
    EXPECT_EQ(cv::norm(kept, before, cv::NORM_INF), 0);
    std::filesystem::remove(path("out.png"));
    expect_refused(scene + " --save-input " + path("before.txt"), "before.txt");
    expect_refused(scene + " --save-input /nowhere/before.png", "/nowhere");
}

TEST_F(EqualizeCli, bench_writes_rows_for_every_distribution) {
    const Ran ran = run("bench --variants seq,peer_opencv contention --csv-dir " + path("csv"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto rows = common::read_csv(path("csv/contention.csv"));
    EXPECT_EQ(column(rows, "case"),
              (std::vector<std::string>{"constant", "constant", "two-level", "two-level", "skewed",
                                        "skewed", "uniform", "uniform"}));
}

TEST_F(EqualizeCli, experiments_have_columns_of_their_own) {
    const Ran ran = run("bench --variants seq pipeline occupancy --csv-dir " + path("csv"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto stages = common::read_csv(path("csv/pipeline.csv"));
    EXPECT_EQ(stages[0].back(), "download_ms");
    EXPECT_EQ(column(stages, "step"), std::vector<std::string>(5, "CPU"));
    EXPECT_EQ(column(stages, "case").back(), "u 1024x683");
    for (const auto& row : stages) EXPECT_EQ(row.size(), stages[0].size());
    EXPECT_EQ(common::read_csv(path("csv/occupancy.csv"))[0].back(), "occupancy_percent");
    EXPECT_THAT(ran.out, HasSubstr("occupancy: 0 rows"));
    EXPECT_THAT(ran.out, HasSubstr("none of its variants can run here"));
}

}  // namespace
