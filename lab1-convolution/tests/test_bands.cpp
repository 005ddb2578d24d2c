// Pictures in bands: `run --memory` against `run`.

#include <fstream>

#include "harness/testing_bands.hpp"

namespace {

using testing::HasSubstr;

class ConvolutionBands : public harness::BandsCli {
  protected:
    const std::string options_ = "--filter gauss5 --variant omp_rows";
};

TEST_F(ConvolutionBands, equal_the_whole_picture) {
    for (const std::string& extension : supported({".ppm", ".tif"})) {
        make_whole("scene:landscape:401x1999", extension, options_);
        expect_equal_in_bands(extension, options_);
    }
    make_whole("scene:landscape:401x1999", ".ppm", "--filter sharpen --variant omp_best");
    expect_equal_in_bands(".ppm", "--filter sharpen --variant omp_best");
}

TEST_F(ConvolutionBands, of_a_gpu_equal_the_whole_picture) {
    const std::string options = "--filter gauss5 --variant cuda_per_pixel";
    make_whole("scene:landscape:401x1999", ".ppm", "--filter gauss5 --variant omp_rows");
    const int code = run(command("in.ppm", "whole_gpu.ppm", options)).exit_code;
    if (code == 77) GTEST_SKIP() << "cannot run here: no GPU, and kernels are not emulated";
    expect_equal_in_bands(".ppm", options);
}

TEST_F(ConvolutionBands, of_a_killed_run_are_continued) {
    for (const std::string& extension : supported({".ppm", ".tif"})) {
        make_whole("scene:landscape:1201x2999", extension, options_);
        expect_equal_after_kill(extension, options_);
    }
}

TEST_F(ConvolutionBands, bad_use_is_refused) {
    make_whole("scene:landscape:40x30", ".ppm", options_);
    const std::string in = "run " + path("in.ppm") + " ";
    expect_refused(in + "--memory 500" + to_out(), ".pgm, .ppm, .tif or .tiff");
    expect_refused(in + "--memory 0 --output " + path("out.ppm"), "--memory");
    expect_refused(in + "--resume --output " + path("out.ppm"), "--memory");
    expect_refused(in + "--memory 500 --verify --output " + path("out.ppm"), "--verify");
    expect_refused(in + "--memory 500 --output " + path("out.pgm"), ".ppm");
    expect_refused("run scene:landscape:40x30 --memory 500 --output " + path("out.ppm"), ".ppm");
    std::filesystem::resize_file(path("in.ppm"), 1000);
    expect_refused(in + "--memory 500 --output " + path("out.ppm"), "truncated");
    std::ofstream(path("in.ppm")) << "P6 40 30 65535\n";
    expect_refused(in + "--memory 500 --output " + path("out.ppm"), "values up to 255");
    std::ofstream(path("in.tif")) << "no TIFF";
    expect_refused("run " + path("in.tif") + " --memory 500 --output " + path("out.tif"), "TIFF");
}

}  // namespace
