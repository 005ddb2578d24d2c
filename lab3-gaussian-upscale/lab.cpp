#include "lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "common/error.hpp"
#include "harness/variants.hpp"
#include "problem/network.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace upscale {
namespace {

/// Throws BadUsage for an image whose output has more columns or rows than cv::Mat can count.
harness::Shape doubled(const harness::Shape& in) {
    if (in.width > std::numeric_limits<int>::max() / 2 ||
        in.height > std::numeric_limits<int>::max() / 2) {
        throw common::BadUsage(
            fmt::format("an image of {}x{} is too large to be doubled", in.width, in.height));
    }
    return {2 * in.width, 2 * in.height, in.type};
}

/// Converts pixels of three bytes to four bytes and back. The fourth byte is not zero, so that a
/// variant which adds it to a colour gives a wrong result.
harness::Adapter four_bytes(const std::string& variant) {
    harness::Adapter adapter;
    adapter.input = [variant](const cv::Mat& in) {
        if (in.channels() != 3) throw common::Unsupported(variant + ": takes colour images only");
        cv::Mat packed;
        cv::cvtColor(in, packed, cv::COLOR_BGR2BGRA);
        return packed;
    };
    adapter.output = [](const harness::Shape& out) {
        return harness::Shape{out.width, out.height, CV_8UC4};
    };
    adapter.result = [](const cv::Mat& out) {
        cv::Mat colour;
        cv::cvtColor(out, colour, cv::COLOR_BGRA2BGR);
        return colour;
    };
    return adapter;
}

/// A job that refuses to run, of a variant that does not have the method.
harness::Job refusing(const Variant& variant) {
    return {harness::HostCall(
        [what = variant.name + (variant.learned ? ": has --method learned only"
                                                : ": does not have --method learned")](
            const cv::Mat&, cv::Mat&) { throw common::Unsupported(what); })};
}

harness::Trial trial(const common::VariantInfo& info, const Filter& filter,
                     const harness::ImageSource& input, common::RunOptions run) {
    const Variant& variant = harness::variant_named(variants(), info.name);
    run = harness::for_backend(info.backend, run);
    const Options options = filter.options(run);
    const bool gauss = filter.method == Method::gauss && !filter.automatic;
    std::string parameters = filter.parameters();
    parameters += harness::threads_text(info, run);
    const bool has_block = info.backend == common::Backend::cuda && run.block;
    if (has_block) parameters += ";block=" + to_string(*run.block);
    const double taps = 2.0 * options.weights.radius + 1;
    const bool learned = filter.method == Method::learned;
    return {.variant = info,
            .options = run,
            .job = job_for(variant, options),
            .parameters = parameters,
            .columns = {gauss ? std::to_string(filter.radius) : "",
                        gauss ? fmt::format("{:g}", filter.sigma) : "",
                        filter.automatic ? "auto" : name_of(filter.method)},
            .work = 4.0 * input.width * input.height *
                    (learned ? Network::products() / 4 : taps * taps)};
}

}  // namespace

harness::Job job_for(const Variant& variant, const Options& options) {
    if (variant.learned != (options.method == Method::learned) && variant.built()) {
        return refusing(variant);
    }
    harness::Job job = harness::bind(variant, options);
    if (variant.four_byte_pixels) job.adapter = four_bytes(variant.name);
    return job;
}

harness::Problem problem(const harness::ImageSource& input, const Filter& filter,
                         const std::vector<common::VariantInfo>& chosen,
                         const common::RunOptions& options) {
    harness::Problem result;
    result.input = input;
    result.output_shape = [](const cv::Mat& in) { return doubled(harness::Shape::of(in)); };
    result.least_output = doubled;
    result.check = [filter](const cv::Mat& in) { return oracle(in, filter); };
    result.operations = [taps = 2 * filter.weights().radius + 1,
                         learned = filter.method == Method::learned](const cv::Mat& in) {
        if (learned) return 2.0 * Network::products() * static_cast<double>(in.total());
        return 2.0 * taps * taps * 4 * static_cast<double>(in.total()) * in.channels();
    };
    for (const common::VariantInfo& info : chosen) {
        result.trials.push_back(trial(info, filter, input, options));
    }
    return result;
}

namespace {

/// The command line's options for `run`.
struct RunArguments {
    Filter filter{};
    std::optional<int> radius{};
    std::optional<double> sigma{};
    std::string network_file{};
    std::optional<Network> network{};  ///< of that file

    const Filter& loaded() {
        if ((radius || sigma) && filter.method != Method::gauss && !filter.automatic) {
            throw common::BadUsage(
                fmt::format("{}: needs --method gauss or auto", radius ? "--radius" : "--sigma"));
        }
        filter.radius = radius.value_or(filter.radius);
        filter.sigma = sigma.value_or(filter.sigma);
        if (!network_file.empty() && !network) {
            if (filter.method != Method::learned || filter.automatic) {
                throw common::BadUsage("--network: needs --method learned");
            }
            network = read_network(network_file);
            filter.network = &*network;
        }
        return filter;
    }
};

void add_filter(harness::CommandOptions& options, RunArguments& arguments) {
    Filter& filter = arguments.filter;
    options.choice(
        "--method", {"gauss", "bicubic", "lagrange", "bilinear", "lanczos", "learned", "auto"},
        [&filter](const std::string& name) {
            filter.automatic = name == "auto";
            if (!filter.automatic) filter.method = method_named(name);
        },
        "gauss (default), bicubic (a = -0.75), lagrange (NPP's cubic), bilinear, lanczos (8 taps), "
        "learned (a network), or auto: gauss or bicubic, by the content of the image");
    options.integer("--radius", arguments.radius, "of the Gaussian, 1 to 7; default 2", 1, 7);
    options.real("--sigma", arguments.sigma, "of the Gaussian, in source pixels; default 0.36");
    options.text("--network", arguments.network_file,
                 "weights for --method learned, a file that learned/train.py wrote");
}

harness::BandWork band_work(const harness::Trial& trial, const Filter& filter) {
    if (filter.automatic) {
        throw common::BadUsage("--memory: --method auto needs the whole picture");
    }
    const int radius = filter.weights().radius;
    if (filter.method != Method::learned) return harness::windowed(trial.job, radius, 2);
    harness::BandWork work = harness::windowed(trial.job, std::max(radius, network_layers), 2);
    work.bytes_beside = 5;
    // Only this method tells channels apart. Bands have them in the order of the file.
    work.compute = [plain = work.compute](const cv::Mat& in, cv::Mat& out) {
        if (in.channels() != 3) return plain(in, out);
        cv::Mat bgr;
        cv::cvtColor(in, bgr, cv::COLOR_RGB2BGR);
        plain(bgr, out);
        cv::cvtColor(out, out, cv::COLOR_BGR2RGB);
    };
    return work;
}

}  // namespace

harness::Lab make_lab() {
    const auto arguments = std::make_shared<RunArguments>();
    const auto bench = std::make_shared<BenchArguments>();
    harness::Lab lab;
    lab.name = "lab3-gaussian-upscale";
    lab.what = "images of twice the width and height, by Gaussian or bicubic resampling";
    lab.fastest = {"cuda_best", "cuda_shared_rows", "cuda_shared",  "omp_best",    "omp_dispatch",
                   "seq",       "cuda_learned_mma", "cuda_learned", "omp_learned", "seq_learned"};
    lab.variants = {variants().begin(), variants().end()};
    lab.columns = {"radius", "sigma", "method"};
    lab.experiments = experiments(bench);
    lab.suits = [arguments](const common::VariantInfo& info) {
        const bool learned = harness::variant_named(variants(), info.name).learned;
        return learned == (arguments->filter.method == Method::learned);
    };
    lab.add_options = [arguments, bench](harness::CommandOptions& options) {
        if (options.subcommand() == "run") add_filter(options, *arguments);
        if (options.subcommand() == "bench") {
            options.inputs("--picture", bench->pictures,
                           "images for the experiment quality, like INPUT of run; default: scenes");
        }
    };
    lab.problem = [arguments](const harness::ImageSource& input, const common::VariantInfo& info,
                              const common::RunOptions& options) {
        const Filter& filter = arguments->loaded();
        if (!filter.automatic) return problem(input, filter, {info}, options);
        const cv::Mat image = harness::load_source(input);
        harness::Problem result = problem(input, filter.chosen_for(image), {info}, options);
        result.image = image;
        return result;
    };
    lab.bands = [arguments](const harness::Trial& trial) {
        return band_work(trial, arguments->loaded());
    };
    return lab;
}

}  // namespace upscale
