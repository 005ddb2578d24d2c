// The real executable, where this lab differs from the others: files of sums, and its own options.

#include <chrono>
#include <cmath>
#include <fstream>

#include "common/csv.hpp"
#include "common/image.hpp"
#include "harness/testing_cli.hpp"

namespace {

using harness::Cli;
using harness::Ran;
using testing::HasSubstr;

class IntegralCli : public Cli {
  protected:
    std::string to_npy() const { return " --output " + path("sums.npy"); }
};

TEST_F(IntegralCli, run_writes_32_bit_sums) {
    const Ran ran = run("run random:9x7 --variant seq_naive --verify" + to_npy());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    for (const char* word : {"9x7", "seq_naive", "verified", "32-bit sums"}) {
        EXPECT_THAT(ran.out, HasSubstr(word));
    }
    EXPECT_THAT(read("sums.npy"), HasSubstr("'<i4', 'fortran_order': False, 'shape': (7, 9)"));
}

TEST_F(IntegralCli, run_says_that_sums_have_64_bits) {
    const Ran ran =
        run("run random:9x7 --max-pixel 2147483647 --variant seq_scan --verify" + to_npy());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("64-bit sums"));
    EXPECT_THAT(read("sums.npy"), HasSubstr("'<i8'"));
    EXPECT_THAT(run("run scene:constant:4200x4200 --json" + to_npy()).out,
                HasSubstr("\"output_values\": \"64-bit sums\""));
}

TEST_F(IntegralCli, run_writes_a_picture) {
    EXPECT_THAT(
        run("run scene:landscape:40x30" + to_out()).out,
        testing::ContainsRegex("out.png, gray, 8 bits: 32-bit sums, scaled by 255/1[0-9]+"));
    const cv::Mat picture = common::load_image(path("out.png"));
    ASSERT_EQ(picture.size(), cv::Size(40, 30));
    ASSERT_EQ(picture.type(), CV_8UC1);
    EXPECT_EQ(picture.at<uchar>(29, 39), 255);
}

TEST_F(IntegralCli, bad_usage_is_one_line_and_exit_code_2) {
    expect_refused("run random:8x8 --output " + path("sums.xyz"), ".npy");
    expect_refused("run random:8x8 --output " + path("nosuch/sums.npy"), "nosuch");
    expect_refused("run scene:landscape:8x8 --max-pixel 9" + to_out(), "--max-pixel");
    expect_refused("run random:8x8 --max-pixel 0" + to_out(), "--max-pixel");
    expect_refused("run random:8x8 --max-pixel 3000000000" + to_out(), "--max-pixel");
    expect_refused("run random:8x8 --variant omp_inner --inner-threads 0" + to_out(),
                   "--inner-threads");
    expect_refused("run random:8x8 --variant peer_opencv --max-pixel 256" + to_out(),
                   "0 to 255 only");
    expect_refused("run scene:constant:4200x4200 --variant peer_opencv" + to_out(),
                   "32-bit sums only");
    expect_refused("bench omp_levels --max-pixel 9", "--max-pixel");
    expect_refused("run random:8x8 --variant omp_inner --inner-threads 2" + to_out(),
                   "--inner-threads is for omp_nested, not for omp_inner");
}

/// The image fits in memory twice, so input and 32-bit sums would fit. The 64-bit sums do not.
TEST_F(IntegralCli, scene_without_memory_for_its_sums_is_not_made) {
    std::ifstream in("/proc/meminfo");
    std::string key;
    double kib = 0;
    while (in >> key >> kib && key != "MemAvailable:") in.ignore(256, '\n');
    ASSERT_GT(kib, 0);
    const auto side = static_cast<int>(std::sqrt(kib * 1024 / 8));
    if (side < 4200) GTEST_SKIP() << "skipped: less memory than 64-bit sums would need";
    const auto start = std::chrono::steady_clock::now();
    expect_refused(fmt::format("run random:{0}x{0} --variant seq_scan", side) + to_npy(),
                   "the input with the output needs", 1);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST_F(IntegralCli, bench_writes_rows_for_every_configuration) {
    const Ran ran = run("bench --variants seq_naive,omp_inner omp_levels --csv-dir " + path("csv"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto rows = common::read_csv(path("csv/omp_levels.csv"));
    EXPECT_EQ(rows.size(), 1u + 2 * 2);
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
    EXPECT_EQ(rows[0].back(), "max_pixel");
}

}  // namespace
