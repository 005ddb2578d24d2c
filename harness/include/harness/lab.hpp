#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "common/image.hpp"
#include "common/options.hpp"
#include "harness/bands.hpp"
#include "harness/command_options.hpp"
#include "harness/job.hpp"
#include "harness/source.hpp"
#include "harness/undefined.hpp"
#include "harness/verify.hpp"

namespace harness {

using namespace common;

class Runner;

/// One variant with its options on a problem: a row of the CSV.
struct Trial {
    VariantInfo variant;
    RunOptions options;
    Job job;                           ///< the variant with its options bound
    std::string parameters;            ///< "key=value;key=value" in a fixed order
    std::vector<std::string> columns;  ///< the lab's own CSV columns
    double work = 1;                   ///< in any unit of the lab, to estimate times
    bool kernel_only = false;          ///< of a large image: total_ms is kernel_ms
};

/// An input and the trials on it.
struct Problem {
    ImageSource input;
    cv::Mat image;  ///< the input, if the lab has loaded or made it; otherwise empty
    std::function<Shape(const cv::Mat& in)> output_shape = Shape::of;

    /// The least output of an input of that shape, by which a scene that is too large is refused
    /// before it is made.
    std::function<Shape(const Shape& in)> least_output = [](const Shape& in) { return in; };

    /// Works out the reference; may be slow.
    std::function<Check(const cv::Mat& in)> check = Undefined{"Problem::check"};

    /// Additions and multiplications (in lab 4 increments and look-ups) of the definition.
    std::function<double(const cv::Mat& in)> operations = Undefined{"Problem::operations"};

    std::vector<Trial> trials;  ///< speedups refer to the first, if that is sequential

    /// Measures the values of the experiment's own columns, after the times of a trial. Each line
    /// becomes a row; without lines there is one row, with these columns empty.
    std::function<std::vector<std::vector<std::string>>(const Trial&, Runner&)> measured;
};

struct BenchRequest {
    RunOptions options;
    std::uint64_t seed = 1;
    bool full = false;  ///< --full rather than --quick
    std::vector<VariantInfo>
        variants;  ///< those that the user chose and that can run, in table order
};

struct Experiment {
    std::string name;  ///< also the name of its CSV file
    std::string what;  ///< one line
    std::function<std::vector<Problem>(const BenchRequest&)> problems =
        Undefined{"Experiment::problems"};
    std::vector<std::string> columns = {};  ///< its own, after the lab's
    bool with_ranks = false;                ///< mpi variants take part
};

/// The description of a lab for the harness. The lab's own options are inside its jobs and checks.
struct Lab {
    std::string name;                   ///< its folder, "lab5-threshold"
    std::string what;                   ///< one line for --help
    std::vector<std::string> fastest;   ///< default of `run`: the first that is available; if it is
                                        ///< empty, the last of the ladder
    std::vector<VariantInfo> variants;  ///< in table order
    std::vector<std::string> columns;   ///< names of the lab's own CSV columns
    Shape large{7680, 4320, CV_8UC3};   ///< the input whose least time `device` prints
    std::vector<Experiment> experiments;
    std::function<cv::Mat(const ImageSource&)> load = load_source;  ///< the lab's input

    /// Before the work, throw BadUsage if a result (of this size) cannot be written to this file;
    /// writes it, and describes what it has written in a few words.
    std::function<void(const std::filesystem::path&)> check_output = check_writable_image;
    std::function<void(const std::filesystem::path&, const Shape&)> check_size =
        [](const std::filesystem::path& path, const Shape& shape) {
            check_format_holds(path, shape.width, shape.height, shape.type);
        };
    std::function<std::string(const std::filesystem::path&, const cv::Mat&)> write_output =
        [](const std::filesystem::path& path, const cv::Mat& image) {
            write_image(path, image);
            return image.channels() == 1 ? "gray, 8 bits" : "colour, 8 bits";
        };

    /// Whether the options of the command line concern the variant. Without --variant, `run`
    /// chooses among those that they concern.
    std::function<bool(const VariantInfo&)> suits = [](const VariantInfo&) { return true; };

    /// Adds the lab's options to the subcommand `run` or `bench`. The lab keeps their values.
    std::function<void(CommandOptions&)> add_options = [](CommandOptions&) {};

    /// The problem of `run`: an input, one variant, and the options from the command line.
    std::function<Problem(const ImageSource&, const VariantInfo&, const RunOptions&)> problem =
        Undefined{"Lab::problem"};

    /// The work of `run --memory`, for a trial of `problem`. Empty if the lab has none.
    std::function<BandWork(const Trial&)> bands{};
};

/// The problem's input; loads it unless the problem has it.
cv::Mat input_of(const Lab& lab, const Problem& problem);

/// The main function of a lab's program. Parses and executes the command line; reports a failure in
/// one line on stderr. Returns the exit code.
int run_lab(const Lab& lab, int argc, const char* const* argv);

}  // namespace harness
