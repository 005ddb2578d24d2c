#include "lab.hpp"

#include <fmt/format.h>

#include <memory>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "common/error.hpp"
#include "harness/random.hpp"
#include "harness/variants.hpp"
#include "problem/library_form.hpp"
#include "problem/oracle.hpp"
#include "problem/sums.hpp"
#include "problem/variant.hpp"

namespace integral {
namespace {

/// Independent pixels, each of 0..max_value equally likely.
cv::Mat random_pixels(const harness::ImageSource& source) {
    const auto width = static_cast<std::uint64_t>(source.width);
    harness::require_host_memory(width * static_cast<std::uint64_t>(source.height) * sizeof(Pixel),
                                 "the input");
    cv::Mat image(source.height, source.width, CV_32SC1);
    const auto values = static_cast<std::uint64_t>(source.max_value) + 1;
#pragma omp parallel for
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            const auto index =
                static_cast<std::uint64_t>(y) * width + static_cast<std::uint64_t>(x);
            const std::uint64_t bits = harness::random_at(source.seed, index) >> 32;
            image.ptr<Pixel>(y)[x] = static_cast<Pixel>(bits * values >> 32);
        }
    }
    return image;
}

cv::Mat load_pixels(const harness::ImageSource& source) {
    if (source.scene == "random") return random_pixels(source);
    cv::Mat image = harness::load_source(source);
    if (image.channels() == 3) cv::cvtColor(image, image, cv::COLOR_BGR2GRAY);
    image.convertTo(image, CV_32S);
    return image;
}

/// The lab's own command-line options.
struct Arguments {
    std::optional<int> inner_threads{};
    std::optional<int> max_pixel{};
};

/// Additions that a variant needs for an image.
double work(const Variant& variant, int width, int height) {
    const double w = width;
    const double h = height;
    if (variant.cost == Cost::linear) return w * h;
    constexpr double per_pixel = 1000;  // the cost of a parallel region, in additions
    return w * (w + 1) / 2 * h * (h + 1) / 2 + per_pixel * w * h;
}

harness::Trial trial(const Setup& setup, const harness::ImageSource& input) {
    const Variant& variant = harness::variant_named(variants(), setup.variant.name);
    const Options options = harness::for_backend(variant.backend, setup.options);
    const bool nested = variant.name == "omp_nested";
    const bool has_block = variant.backend == common::Backend::cuda && options.block;
    const bool has_grid = variant.on_device && options.grid.width > 0;
    const common::Block block = options.block.value_or(common::Block{});

    std::string parameters = fmt::format("max_pixel={}", input.max_value);
    parameters += harness::threads_text(variant, options);
    if (nested) parameters += fmt::format(";threads_inner={}", options.inner_threads);
    if (has_block) parameters += ";block=" + to_string(block);
    if (has_grid) parameters += fmt::format(";grid={}x{}", options.grid.width, options.grid.height);
    const auto column = [](bool given, int value) { return given ? std::to_string(value) : ""; };
    return {.variant = variant,
            .options = options,
            .job = job_for(variant, options),
            .parameters = parameters,
            .columns = {setup.label, column(has_grid, options.grid.width),
                        column(has_grid, options.grid.height), column(has_block, block.width),
                        column(has_block, block.height), column(nested, options.inner_threads),
                        std::to_string(input.max_value)},
            .work = work(variant, input.width, input.height)};
}

/// Bands of 8-bit gray rows: each has its own sums, to which the last row of the band above is
/// added.
harness::BandWork band_work(const harness::Trial& trial) {
    harness::BandWork work = harness::windowed(trial.job, 0);
    work.gray_only = true;
    work.output_type = [](const harness::Shape& in) { return sum_type(in.width, in.height, 255); };
    work.bytes_beside = sizeof(Pixel);
    work.compute = [sum = work.compute](const cv::Mat& in, cv::Mat& out) {
        cv::Mat pixels;
        in.convertTo(pixels, CV_32S);
        sum(pixels, out);
    };
    work.add_row_above = [threads = trial.options.threads](const cv::Mat& row, cv::Mat& out) {
        add_row(row, out, threads);
    };
    return work;
}

}  // namespace

harness::Job job_for(const Variant& variant, const Options& options) {
    if (variant.library.built()) {
        harness::Job job = harness::bind(variant.library, options);
        job.adapter = library_form(variant.name);
        return job;
    }
    if (variant.sums32.in_ranks) return harness::bind(variant.sums32, options);
    const harness::Job job32 = harness::bind(variant.sums32, options);
    const harness::Job job64 = harness::bind(variant.sums64, options);
    if (variant.on_device) {
        return {
            harness::DeviceCall([=](const common::UntypedRows& in, const common::UntypedRows& out,
                                    common::Scratch& scratch, cudaStream_t stream) {
                (out.value_bytes == 4 ? job32 : job64).run(in, out, scratch, stream);
            })};
    }
    return {harness::HostCall([=](const cv::Mat& in, cv::Mat& out) {
        std::get<harness::HostCall>((out.type() == CV_32SC1 ? job32 : job64).call)(in, out);
    })};
}

harness::Problem problem(const harness::ImageSource& input, const std::vector<Setup>& setups) {
    harness::Problem result;
    result.input = input;
    result.output_shape = [](const cv::Mat& in) {
        return harness::Shape{in.cols, in.rows, sum_type(in)};
    };
    const int largest = input.scene == "random" ? input.max_value : 1;
    result.least_output = [largest](const harness::Shape& in) {
        return harness::Shape{in.width, in.height, sum_type(in.width, in.height, largest)};
    };
    result.check = oracle;
    result.operations = [](const cv::Mat& in) { return 2.0 * static_cast<double>(in.total()); };
    for (const Setup& setup : setups) result.trials.push_back(trial(setup, input));
    return result;
}

harness::Lab make_lab() {
    const auto arguments = std::make_shared<Arguments>();
    harness::Lab lab;
    lab.name = "lab2-integral-image";
    lab.what = "integral images: at every pixel the sum of all pixels above and to the left";
    lab.fastest = {"cuda_best", "cuda_scan", "omp_best", "omp_scan", "seq_scan"};
    lab.variants = {variants().begin(), variants().end()};
    lab.columns = {"case",         "grid_width",    "grid_height", "block_width",
                   "block_height", "threads_inner", "max_pixel"};
    lab.large = {8192, 8192, CV_32SC1};
    lab.experiments = experiments();
    lab.load = load_pixels;
    lab.check_output = check_writable_sums;
    lab.check_size = [](const std::filesystem::path& path, const harness::Shape& shape) {
        check_size_of_sums(path, shape.width, shape.height);
    };
    lab.write_output = write_sums;
    lab.add_options = [arguments](harness::CommandOptions& options) {
        if (options.subcommand() != "run") return;  // the experiments set their own
        options.integer("--inner-threads", arguments->inner_threads,
                        "threads for each sum in omp_nested; default 2", 1, 4096);
        options.integer("--max-pixel", arguments->max_pixel,
                        "largest pixel of random inputs; default 255", 1, 2147483647);
    };
    lab.problem = [arguments](harness::ImageSource input, const common::VariantInfo& info,
                              const common::RunOptions& run) {
        if (arguments->max_pixel && input.scene != "random") {
            throw common::BadUsage("--max-pixel is for random inputs only, not for '" + input.text +
                                   "'");
        }
        if (arguments->inner_threads && info.name != "omp_nested") {
            throw common::BadUsage("--inner-threads is for omp_nested, not for " + info.name);
        }
        input.max_value = arguments->max_pixel.value_or(input.max_value);
        Options options{run};
        options.inner_threads = arguments->inner_threads.value_or(2);
        return problem(input, {{info, options}});
    };
    lab.bands = band_work;
    return lab;
}

}  // namespace integral
