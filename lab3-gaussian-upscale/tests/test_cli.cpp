// The real executable, where this lab differs from the others: the size of the output, and its own
// options.

#include <fstream>

#include "common/csv.hpp"
#include "common/image.hpp"
#include "harness/testing_cli.hpp"

namespace {

using harness::Cli;
using harness::Ran;
using testing::HasSubstr;

using UpscaleCli = Cli;

TEST_F(UpscaleCli, run_doubles_a_picture) {
    for (const char* method :
         {"gauss --radius 3 --sigma 0.9", "bicubic", "bilinear", "lanczos", "auto"}) {
        const Ran ran = run("run scene:landscape:41x30 --variant omp_rows --verify --method " +
                            std::string(method) + to_out());
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_THAT(ran.out, HasSubstr("verified"));
        const cv::Mat picture = common::load_image(path("out.png"));
        EXPECT_EQ(picture.size(), cv::Size(82, 60));
        EXPECT_EQ(picture.type(), CV_8UC3);
    }
}

TEST_F(UpscaleCli, bad_usage_is_one_line_and_exit_code_2) {
    const std::string scene = "run scene:landscape:16x16" + to_out();
    expect_refused(scene + " --radius 0", "--radius");
    expect_refused(scene + " --radius 8", "--radius");
    expect_refused(scene + " --method bicubic --radius 2", "--radius: needs --method gauss");
    expect_refused(scene + " --method lanczos --sigma 0.36", "--sigma: needs --method gauss");
    expect_refused(scene + " --sigma x", "--sigma: expected a number, not");
    expect_refused(scene + " --sigma 0", "--sigma 0");
    expect_refused(scene + " --sigma nan", "--sigma");
    expect_refused(scene + " --sigma -1", "--sigma -1");
    expect_refused(scene + " --method nearest", "--method");
    expect_refused(scene + " --variant peer_opencv", "--method bicubic");
}

TEST_F(UpscaleCli, learned_has_variants_of_its_own) {
    const std::string learned = "run scene:landscape:41x30 --verify --method learned" + to_out();
    expect_refused(learned + " --variant omp_rows", "omp_rows: does not have --method learned");
    expect_refused("run scene:landscape:41x30 --variant seq_learned" + to_out(), "seq_learned");
    expect_refused(learned + " --network " + path("nosuch"), "nosuch");
    expect_refused(learned + " --network " + path(""), "cannot be read");
    std::ofstream(path("bad.txt")) << "1 2 3";
    expect_refused(learned + " --network " + path("bad.txt"), "bad.txt: line 1");
    expect_refused("run scene:landscape:41x30 --network " + path("bad.txt") + to_out(),
                   "--method learned");
    const Ran ran = run(learned);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("method=learned"));
    EXPECT_THAT(ran.out, HasSubstr("verified"));
}

TEST_F(UpscaleCli, auto_says_what_it_chose) {
    const Ran edges = run("run scene:checker:64x64 --method auto" + to_out());
    EXPECT_THAT(edges.out, HasSubstr("method=auto;chosen=bicubic"));
}

TEST_F(UpscaleCli, quality_compares_pictures_with_their_originals) {
    const std::string to_csv = " --csv-dir " + path("csv");
    expect_refused("bench quality --picture no-such-file.png" + to_csv, "no-such-file.png");
    const Ran ran = run("bench quality --picture scene:landscape:64x49" + to_csv);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto rows = common::read_csv(path("csv/quality.csv"));
    ASSERT_GT(rows.size(), 10u);
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
    EXPECT_EQ(rows[0].back(), "ssim");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][rows[0].size() - 3], "landscape");
        EXPECT_GT(std::stod(rows[i].back()), 0.3);
        EXPECT_LT(std::stod(rows[i].back()), 1);
    }
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
