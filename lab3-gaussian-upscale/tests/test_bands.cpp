// Pictures of twice the size in bands: `run --memory` against `run`.

#include "harness/testing_bands.hpp"

namespace {

using UpscaleBands = harness::BandsCli;

TEST_F(UpscaleBands, equal_the_whole_picture) {
    const std::string gauss = "--variant omp_rows --radius 3 --sigma 0.9";
    for (const std::string& extension : supported({".ppm", ".tif"})) {
        make_whole("scene:landscape:401x1999", extension, gauss);
        expect_equal_in_bands(extension, gauss);
    }
    const std::string lanczos = "--variant omp_rows --method lanczos";
    make_whole("scene:landscape:401x1999", ".ppm", lanczos);
    expect_equal_in_bands(".ppm", lanczos);
    const std::string learned = "--variant seq_learned --method learned";
    make_whole("scene:landscape:101x1999", ".ppm", learned);
    expect_equal_in_bands(".ppm", learned);
}

TEST_F(UpscaleBands, of_a_killed_run_are_continued) {
    const std::string options = "--variant omp_rows --method bicubic";
    make_whole("scene:landscape:701x2999", ".ppm", options);
    expect_equal_after_kill(".ppm", options);
}

TEST_F(UpscaleBands, a_method_that_looks_at_the_whole_picture_is_refused) {
    make_whole("scene:landscape:40x30", ".ppm", "--variant omp_rows");
    expect_refused(
        "run " + path("in.ppm") + " --method auto --memory 500 --output " + path("out.ppm"),
        "--method auto");
}

}  // namespace
