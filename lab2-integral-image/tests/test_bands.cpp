// Sums in bands: `run --memory` against `run`.

#include "harness/scenes.hpp"
#include "harness/testing_bands.hpp"

namespace {

class IntegralBands : public harness::BandsCli {
  protected:
    /// in.pgm, and the sums of the whole picture.
    void make(int width, int height, const std::string& options) const {
        common::write_image(path("in.pgm"), harness::make_scene("random", width, height, 1));
        const auto ran = run(command("in.pgm", "whole.npy", options));
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
    }
};

TEST_F(IntegralBands, equal_the_whole_picture) {
    for (const char* options : {"--variant seq_scan", "--variant omp_strips --threads 2"}) {
        make(1001, 1999, options);  // 32-bit sums
        expect_equal_in_bands(".pgm", options, ".npy");
    }
    EXPECT_THAT(read("bands.npy").substr(0, 64), testing::HasSubstr("<i4"));
}

TEST_F(IntegralBands, of_a_killed_run_are_continued_from_the_last_row) {
    make(4001, 2999, "--variant seq_scan");  // 64-bit sums
    expect_equal_after_kill(".pgm", "--variant seq_scan", ".npy");
    EXPECT_THAT(read("killed.npy").substr(0, 64), testing::HasSubstr("<i8"));
}

TEST_F(IntegralBands, what_holds_no_sums_is_refused) {
    make(20, 20, "--variant seq_scan");
    const std::string in = "run " + path("in.pgm") + " --variant seq_scan --memory 500";
    expect_refused(in + " --output " + path("out.pgm"), ".npy");
    common::write_image(path("in.ppm"), cv::Mat(20, 20, CV_8UC3, cv::Scalar(1, 2, 3)));
    expect_refused("run " + path("in.ppm") + " --memory 500 --output " + path("out.npy"), "gray");
}

}  // namespace
