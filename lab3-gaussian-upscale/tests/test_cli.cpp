// The real executable, where this lab differs from the others: the size of the output, and its own
// options.

#include <opencv2/imgcodecs.hpp>

#include "common/csv.hpp"
#include "common/testing_cli.hpp"

namespace {

using common::Cli;
using common::Ran;
using testing::HasSubstr;

using UpscaleCli = Cli;

TEST_F(UpscaleCli, run_doubles_a_picture) {
    for (const char* method : {"gauss --radius 3 --sigma 0.9", "bicubic"}) {
        const Ran ran = run("run scene:landscape:41x30 --variant omp_rows --verify --method " +
                            std::string(method) + to_out());
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_THAT(ran.out, HasSubstr("verified"));
        const cv::Mat picture = cv::imread(path("out.png"), cv::IMREAD_UNCHANGED);
        EXPECT_EQ(picture.size(), cv::Size(82, 60));
        EXPECT_EQ(picture.type(), CV_8UC3);
    }
}

TEST_F(UpscaleCli, bad_usage_is_one_line_and_exit_code_2) {
    const std::string scene = "run scene:landscape:16x16" + to_out();
    expect_refused(scene + " --radius 0", "--radius 0");
    expect_refused(scene + " --radius 8", "--radius 8");
    expect_refused(scene + " --sigma 0", "--sigma 0");
    expect_refused(scene + " --sigma nan", "--sigma");
    expect_refused(scene + " --sigma -1", "--sigma -1");
    expect_refused(scene + " --method lanczos", "--method");
    expect_refused(scene + " --variant peer_opencv", "--method bicubic");
}

TEST_F(UpscaleCli, bench_writes_rows_for_both_methods) {
    const Ran ran = run("bench --variants seq,peer_opencv ladder --csv-dir " + path("csv"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto rows = common::read_csv(path("csv/ladder.csv"));
    EXPECT_EQ(rows.size(), 1u + 3);  // the library has no Gaussian
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
    EXPECT_EQ(rows[0].back(), "method");
}

}  // namespace
