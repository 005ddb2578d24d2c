#include "lab.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <memory>

#include "common/error.hpp"
#include "harness/variants.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"
// begin solution
#include "bands.hpp"
// end solution

namespace equalize {
namespace {

/// The shape of the input. Throws BadUsage if an int cannot count the pixels: cv::equalizeHist
/// counts in int.
harness::Shape same_shape(const harness::Shape& in) {
    constexpr int most = std::numeric_limits<int>::max();
    if (std::int64_t{in.width} * in.height > most) {
        throw common::BadUsage(
            fmt::format("an image of {}x{} has more than {} pixels, the most "
                        "that are counted in 32 bits",
                        in.width, in.height, most));
    }
    return in;
}

harness::Trial trial(const Setup& setup, const harness::ImageSource& input, Colour colour) {
    const Variant& variant = harness::variant_named(variants(), setup.variant.name);
    const Options options = harness::for_backend(variant.backend, setup.options);
    harness::Job job = harness::bind(variant, options);
    job.transfers = setup.transfers;
    if (colour == Colour::luma) job.adapter = luma_only();

    std::string parameters = colour == Colour::luma ? "color=luma" : "color=gray";
    parameters += harness::threads_text(variant, options);
    const bool has_block = variant.backend == common::Backend::cuda && options.block;
    if (has_block) parameters += ";block=" + to_string(*options.block);
    if (setup.transfers != harness::Transfers{}) {
        parameters +=
            fmt::format(";buffers={};memory={}", setup.transfers.fresh_buffers ? "fresh" : "reused",
                        setup.transfers.pinned ? "pinned" : "pageable");
    }
    return {.variant = variant,
            .options = options,
            .job = job,
            .parameters = parameters,
            .columns = {setup.label},
            .work = static_cast<double>(input.width) * input.height};
}

}  // namespace

harness::Problem problem(const harness::ImageSource& input, const std::vector<Setup>& setups,
                         Colour colour) {
    harness::Problem result;
    result.input = input;
    result.output_shape = [](const cv::Mat& in) { return same_shape(harness::Shape::of(in)); };
    result.least_output = same_shape;
    result.check = oracle::check;
    result.operations = [](const cv::Mat& in) { return 2.0 * static_cast<double>(in.total()); };
    for (const Setup& setup : setups) result.trials.push_back(trial(setup, input, colour));
    return result;
}

harness::Lab make_lab() {
    const auto colour = std::make_shared<Colour>(Colour::gray);
    harness::Lab lab;
    lab.name = "lab4-histogram-eq";
    lab.what = "histogram equalization";
    lab.fastest = {"cuda_streamed", "cuda_best", "cuda_lane_histograms",
                   "omp_best",      "omp_rows",  "seq"};
    lab.variants = {variants().begin(), variants().end()};
    lab.columns = {"case"};
    lab.large.type = CV_8UC1;
    lab.experiments = experiments();
    lab.load = [colour](const harness::ImageSource& source) { return load_input(source, *colour); };
    lab.add_options = [colour](harness::CommandOptions& options) {
        if (options.subcommand() != "run") return;  // the experiments use gray pictures
        options.choice(
            "--color", {"gray", "luma"},
            [colour](const std::string& name) {
                *colour = name == "luma" ? Colour::luma : Colour::gray;
            },
            "gray (default): a colour picture is made gray first; luma: only its brightness is "
            "equalized, and it keeps its colours");
    };
    lab.problem = [colour](const harness::ImageSource& input, const common::VariantInfo& info,
                           const common::RunOptions& options) {
        return problem(input, {{info, options}}, *colour);
    };
    // begin solution
    lab.bands = [](const harness::Trial& trial) { return band_work(trial.options); };
    // end solution
    return lab;
}

}  // namespace equalize
