// Pictures in bands, in two passes: `run --memory` against `run`.

#include "harness/testing_bands.hpp"

namespace {

using EqualizeBands = harness::BandsCli;

TEST_F(EqualizeBands, equal_the_whole_picture) {
    for (const std::string& extension : supported({".pgm", ".tif"})) {
        make_whole("scene:foggy:1001x3999", extension, "--variant seq");
        expect_equal_in_bands(extension, "--variant seq");
    }
}

TEST_F(EqualizeBands, say_that_no_variant_computed_them) {
    make_whole("scene:foggy:101x99", ".pgm", "--variant seq");
    const harness::Ran ran = run(command("in.pgm", "out.pgm", "--variant seq --memory 500"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, testing::HasSubstr("two_passes (omp, in place of seq)"));
}

TEST_F(EqualizeBands, of_a_killed_run_are_continued) {
    for (const std::string& extension : supported({".pgm", ".tif"})) {
        make_whole("scene:landscape:4001x7999", extension, "--variant seq");
        expect_equal_after_kill(extension, "--variant seq");
    }
}

TEST_F(EqualizeBands, colour_is_refused) {
    const std::string in = path("in.ppm");
    common::write_image(in, cv::Mat(20, 20, CV_8UC3, cv::Scalar(1, 2, 3)));
    expect_refused("run " + in + " --memory 500 --output " + path("out.ppm"), "gray");
}

}  // namespace
