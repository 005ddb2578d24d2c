#pragma once

#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "common/image.hpp"
#include "common/options.hpp"
#include "harness/job.hpp"
#include "harness/source.hpp"
#include "harness/verify.hpp"

namespace CLI {
class App;
}

namespace common {

class Runner;

/// One configuration of one variant on a problem: a row of the CSV, to be.
struct Trial {
    VariantInfo variant;
    RunOptions options;
    Job job;                           ///< the variant with its options bound
    std::string parameters;            ///< "key=value;key=value" in a fixed order
    std::vector<std::string> columns;  ///< the lab's own CSV columns
    double work = 1;                   ///< in a unit of the lab's, to estimate times
};

/// An input with the lab's options on it, and who is to solve it.
struct Problem {
    ImageSource input;
    cv::Mat image;  ///< the input, if the lab had to look at it or made it; else it will be loaded
    std::function<Shape(const cv::Mat& in)> output_shape;
    std::function<Check(const cv::Mat& in)> check;  ///< works out the reference; may be slow
    std::vector<Trial> trials;  ///< speedups refer to the first, if that is sequential

    /// What stands in the experiment's own columns, measured after the times of a trial. A trial
    /// gets as many rows as there are lines, and one with empty columns if there are none.
    std::function<std::vector<std::vector<std::string>>(const Trial&, Runner&)> measured;
};

struct BenchRequest {
    RunOptions options;
    std::uint64_t seed = 1;
    bool full = false;                  ///< --full rather than --quick
    std::vector<VariantInfo> variants;  ///< those that were asked for and can run, in table order
};

struct Experiment {
    std::string name;  ///< also the name of its CSV file
    std::string what;  ///< one line
    std::function<std::vector<Problem>(const BenchRequest&)> problems;
    std::vector<std::string> columns = {};  ///< its own, after the lab's
};

/// All that the harness has to know of a lab. Its Options stay the lab's own: they travel inside
/// jobs and checks.
struct Lab {
    std::string name;                   ///< its folder, "lab1-convolution"
    std::string what;                   ///< one line for --help
    std::vector<std::string> fastest;   ///< default of `run`: the first that is available
    std::vector<VariantInfo> variants;  ///< in table order
    std::vector<std::string> columns;   ///< names of the lab's own CSV columns
    std::vector<Experiment> experiments;
    std::function<cv::Mat(const ImageSource&)> load = load_source;  ///< the lab's input

    /// How results become files: whether one can be written under that name (before the work),
    /// writing it, and a few words on what is in it.
    std::function<void(const std::filesystem::path&)> check_output = check_writable_image;
    std::function<void(const std::filesystem::path&, const cv::Mat&)> write_output = write_image;
    std::function<std::string(const Shape&)> describe_output = [](const Shape& shape) {
        return CV_MAT_CN(shape.type) == 1 ? "gray, 8 bits" : "colour, 8 bits";
    };

    /// Adds the lab's command-line options; their values are kept by the lab.
    std::function<void(CLI::App&)> add_options;

    /// The input with the options from the command line, solved by one variant.
    std::function<Problem(const ImageSource&, const VariantInfo&, const RunOptions&)> problem;
};

/// The problem's input, loaded unless the problem has it.
cv::Mat input_of(const Lab& lab, const Problem& problem);

/// The whole program of a lab: parses the command line and does what it says. Returns the exit
/// code; every failure has been reported on stderr in one line.
int run_lab(const Lab& lab, int argc, const char* const* argv);

}  // namespace common
