#include "commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "bench/bench.hpp"
#include "common/file.hpp"
#include "explain/command.hpp"
#include "harness/events.hpp"
#include "harness/machine.hpp"
#include "harness/measure.hpp"
#include "harness/scenes.hpp"
#include "harness/statistics.hpp"

namespace harness {

using namespace common;
namespace {

/// The variants that can run here, are timed and suit the options, the fastest first: as in
/// `lab.fastest`, or, if that is empty, from the end of the list.
std::vector<VariantInfo> fastest_variants(const Lab& lab) {
    std::vector<std::string> candidates = lab.fastest;
    for (auto last = lab.variants.rbegin(); lab.fastest.empty() && last != lab.variants.rend();
         ++last) {
        if (last->backend != Backend::peer) candidates.push_back(last->name);
    }
    std::vector<VariantInfo> fastest;
    for (const std::string& candidate : candidates) {  // its file may have been deleted
        for (const VariantInfo& variant : lab.variants) {
            if (variant.name != candidate || !lab.suits(variant)) continue;
            if (!why_unavailable(variant) && !is_emulated(variant)) fastest.push_back(variant);
        }
    }
    return fastest;
}

/// Names an option of the command line that has no effect on the variant, with the reason; "" if
/// there is none.
std::string without_effect(const Arguments& arguments, const VariantInfo& variant) {
    const bool own_kernels = variant.on_device && variant.backend != Backend::peer;
    const bool threads =
        !variant.on_device && (variant.backend != Backend::seq || arguments.threads == 1);
    for (const auto& [option, has_effect, reason] :
         {std::tuple{"--ranks", variant.backend == Backend::mpi, "is for mpi variants"},
          std::tuple{"--block", own_kernels, "is for CUDA variants"},
          std::tuple{"--threads", threads, "is for variants with OpenMP threads"}}) {
        if (!has_effect && arguments.given.contains(option)) {
            return fmt::format("{} {}", option, reason);
        }
    }
    return "";
}

/// Throws BadUsage for a seed that makes no difference.
void check_seed(const Arguments& arguments, const ImageSource& source) {
    if (!arguments.given.contains("--seed")) return;
    const auto other = parse_source(arguments.input, arguments.seed + 1);
    if (!has_seed(source.scene) || other.seed == source.seed) {
        throw BadUsage(fmt::format("--seed has no effect on '{}'", arguments.input));
    }
}

void print_run(const Lab& lab, const Arguments& arguments, const Trial& trial, const cv::Mat& in,
               const std::string& written, const Samples& samples, double cold_ms) {
    const bool emulated = is_emulated(trial.variant);
    const auto median = [&](const std::vector<double>& ms) -> nlohmann::ordered_json {
        if (emulated) return nullptr;
        return statistics(ms).median;
    };
    if (arguments.json) {
        const nlohmann::ordered_json report{
            {"lab", lab.name},
            {"input", arguments.input},
            {"width", in.cols},
            {"height", in.rows},
            {"channels", in.channels()},
            {"variant", trial.variant.name},
            {"backend", to_string(trial.variant.backend)},
            {"parameters", trial.parameters},
            {"emulated", emulated},
            {"kernel_ms", median(samples.kernel_ms)},
            {"total_ms", median(samples.total_ms)},
            {"cold_ms", emulated ? nlohmann::ordered_json() : nlohmann::ordered_json(cold_ms)},
            {"verified", arguments.verify},
            {"output", arguments.output},
            {"output_values", written}};
        fmt::print("{}\n", report.dump(2));
        return;
    }
    fmt::print("input    {}, {}x{}, {}\n", arguments.input, in.cols, in.rows,
               in.channels() == 1 ? "gray" : "colour");
    fmt::print("variant  {} ({}), {}\n", trial.variant.name, to_string(trial.variant.backend),
               trial.parameters);
    if (emulated) {
        fmt::print("time     - (emulated)\n");
    } else {
        fmt::print("time     kernel {:.3f} ms, total {:.3f} ms, first call {:.3f} ms\n",
                   statistics(samples.kernel_ms).median, statistics(samples.total_ms).median,
                   cold_ms);
    }
    if (arguments.verify) {
        fmt::print("verified every value is as defined{}\n", emulated ? " (emulated)" : "");
    }
    fmt::print("output   {}, {}\n", arguments.output, written);
}

/// Throws BadUsage if an output would replace the input or another output.
void require_outputs_of_their_own(const Arguments& arguments, const ImageSource& source,
                                  const std::optional<ExplainCommand>& explain) {
    std::vector<NamedFile> files;
    if (source.scene.empty()) files.push_back({"the input", source.text});
    files.push_back({"--output", arguments.output});
    if (!arguments.save_input.empty()) files.push_back({"--save-input", arguments.save_input});
    if (explain) files.push_back({"the drawing of --explain", explain->drawing()});
    require_different_files(files);
}

/// `run --memory`.
void run_in_bands(const Lab& lab, const Arguments& arguments, const VariantInfo& variant) {
    if (!lab.bands) throw BadUsage("--memory: this lab does not work in bands");
    if (arguments.verify || !arguments.save_input.empty()) {
        throw BadUsage("--memory excludes --verify and --save-input, which need the whole picture");
    }
    if (arguments.given.contains("--repeats")) {
        throw BadUsage("--memory excludes --repeats: the work is done once");
    }
    ImageSource source;
    source.text = arguments.input;
    const Trial trial = lab.problem(source, variant, arguments.options()).trials.front();
    if (const auto reason = why_unavailable(variant)) {
        throw Unavailable(fmt::format("{} cannot run here: {}", variant.name, *reason));
    }
    const BandWork work = lab.bands(trial);
    const bool own = !work.own_name.empty();
    const std::string name = own ? work.own_name : variant.name;
    const Backend backend = own ? Backend::omp : variant.backend;
    const BandReport report =
        run_in_bands({.input = arguments.input,
                      .output = arguments.output,
                      .what = fmt::format("{} {} {}", lab.name, name, trial.parameters),
                      .memory_mib = arguments.memory_mib,
                      .resume = arguments.resume},
                     work);
    const double rate = report.bytes / report.seconds / 1e6;
    if (arguments.json) {
        const nlohmann::ordered_json json{{"lab", lab.name},
                                          {"input", arguments.input},
                                          {"width", report.shape.width},
                                          {"height", report.shape.height},
                                          {"channels", CV_MAT_CN(report.shape.type)},
                                          {"variant", name},
                                          {"backend", to_string(backend)},
                                          {"parameters", trial.parameters},
                                          {"band_rows", report.band_rows},
                                          {"first_row", report.first_row},
                                          {"seconds", report.seconds},
                                          {"mb_per_s", rate},
                                          {"peak_mib", report.peak_mib},
                                          {"output", arguments.output}};
        fmt::print("{}\n", json.dump(2));
        return;
    }
    fmt::print("input    {}, {}x{}, {}\n", arguments.input, report.shape.width, report.shape.height,
               CV_MAT_CN(report.shape.type) == 1 ? "gray" : "colour");
    fmt::print("variant  {} ({}{}), {}\n", name, to_string(backend),
               own ? ", in place of " + variant.name : "", trial.parameters);
    fmt::print("bands    of {} rows{}, at most {} MiB of memory\n", report.band_rows,
               report.first_row > 0 ? fmt::format(", from row {} on", report.first_row) : "",
               report.peak_mib);
    fmt::print("time     {:.2f} s, {:.0f} MB/s read and written\n", report.seconds, rate);
    fmt::print("output   {}\n", arguments.output);
}

void run(const Lab& lab, const Arguments& arguments, const VariantInfo& variant) {
    if (const std::string why = without_effect(arguments, variant); !why.empty()) {
        throw BadUsage(fmt::format("{}, not for {}", why, variant.name));
    }
    check_seed(arguments, parse_source(arguments.input, arguments.seed));
    if (arguments.memory_mib > 0) return run_in_bands(lab, arguments, variant);
    std::optional<ExplainCommand> explain;
    if (arguments.explain) explain.emplace(lab, variant, arguments.against, arguments.output);
    const RunOptions options = arguments.options();
    const ImageSource source = parse_source(arguments.input, arguments.seed);
    require_outputs_of_their_own(arguments, source, explain);
    const Problem problem = lab.problem(source, variant, options);
    lab.check_output(arguments.output);
    if (!arguments.save_input.empty()) check_writable_image(arguments.save_input);
    if (const auto reason = why_unavailable(variant)) {
        throw Unavailable(fmt::format("{} cannot run here: {}", variant.name, *reason));
    }

    if (!source.scene.empty()) {  // before it is made
        const Shape shape{source.width, source.height, lab.large.type};
        require_host_memory(shape.bytes() + problem.least_output(shape).bytes(),
                            "the input with the output");
    }
    const cv::Mat in = input_of(lab, problem);
    if (!arguments.save_input.empty() && in.depth() != CV_8U) {
        throw BadUsage("--save-input: this lab's pixels have more than 8 bits");
    }
    const Shape shape = problem.output_shape(in);
    lab.check_size(arguments.output, shape);
    if (!arguments.save_input.empty()) {
        check_format_holds(arguments.save_input, in.cols, in.rows, in.type());
    }
    require_host_memory(shape.bytes(), "the output");
    const Trial& trial = problem.trials.front();
    Runner runner(trial.job, in, shape);
    double cold_ms = 0;
    const auto call = [&] { cold_ms = first_call(runner, variant); };
    if (explain) {
        explain->count(call);
    } else {
        call();
    }
    if (runner.on_gpu()) cold_ms += context_ms();
    if (arguments.verify) {
        const Verdict verdict = problem.check(in)(runner.result(), variant.agreement);
        if (!verdict.ok()) {
            throw Failed(
                fmt::format("{} is WRONG, nothing written: {}", variant.name, verdict.text()));
        }
    }
    Samples samples;
    if (!is_emulated(variant)) {
        samples = measure(runner, arguments.repeats > 0 ? arguments.repeats : 3);
    }
    const std::string written = lab.write_output(arguments.output, runner.result());
    if (!arguments.save_input.empty()) write_image(arguments.save_input, in);
    print_run(lab, arguments, trial, in, written, samples, cold_ms);
    if (explain) explain->print(source, options, in);
}

/// Why times of the lab's variants say nothing, if that is so: a build for a debugger. Tests of the
/// program, which look at no time, set a variable.
std::optional<std::string> why_not_timed(const Lab& lab) {
    const bool optimised =
        std::all_of(lab.variants.begin(), lab.variants.end(),
                    [](const VariantInfo& one) { return one.optimised || !one.not_built.empty(); });
    if (optimised || std::getenv("LABS_TIME_UNOPTIMISED") != nullptr) return std::nullopt;
    return fmt::format(
        "this build is not optimised ({}); configure it with "
        "-DCMAKE_BUILD_TYPE=Release",
        machine().compiler);
}

/// The chosen variants (by default all) that can be timed; prints a note on the others.
std::vector<VariantInfo> bench_variants(const Lab& lab, const Arguments& arguments) {
    for (const std::string& name : arguments.variants)
        find_variant(lab.variants, name, "--variants");
    std::vector<VariantInfo> chosen;
    std::map<std::string, std::string> left_out;  // names, for each reason
    for (const VariantInfo& variant : lab.variants) {
        const bool wanted = arguments.variants.empty() || variant.backend == Backend::seq ||
                            std::ranges::count(arguments.variants, variant.name) > 0;
        if (!wanted || std::ranges::count(arguments.exclude, variant.name) > 0) continue;
        auto reason = why_unavailable(variant);
        if (!reason && is_emulated(variant)) reason = "emulated, so never timed";
        if (!reason) chosen.push_back(variant);
        if (reason) left_out[*reason] += (left_out[*reason].empty() ? "" : ", ") + variant.name;
    }
    for (const auto& [reason, all] : left_out) {
        if (!is_later_bench_worker()) fmt::print(stderr, "note: left out: {} ({})\n", all, reason);
    }
    return chosen;
}

}  // namespace

void list(const Lab& lab, bool as_json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const VariantInfo& variant : lab.variants) {
        const auto reason = why_unavailable(variant);
        rows.push_back({{"name", variant.name},
                        {"backend", to_string(variant.backend)},
                        {"idea", variant.idea},
                        {"available", !reason},
                        {"reason", reason.value_or("")},
                        {"emulated", !reason && is_emulated(variant)}});
        if (as_json) continue;
        fmt::print("{:<20} {:<5} {}\n", variant.name, to_string(variant.backend), variant.idea);
        if (reason) {
            fmt::print("{:26} unavailable: {}\n", "", *reason);
        } else if (is_emulated(variant)) {
            fmt::print("{:26} emulated: runs on the CPU and is checked, never timed\n", "");
        }
    }
    if (as_json) fmt::print("{}\n", rows.dump(2));
    if (!has_event_file()) return;
    emit({{"event", "machine"},
          {"cpu", machine().cpu},
          {"gpu", machine().gpu},
          {"compiler", machine().compiler},
          {"commit", machine().commit}});
}

void run(const Lab& lab, const Arguments& arguments) {
    if (!arguments.block.empty()) parse_block(arguments.block);  // before other faults
    if (const auto reason = why_not_timed(lab)) {
        fmt::print(stderr, "note: its times say nothing: {}\n", *reason);
    }
    if (!arguments.variant.empty()) {
        const VariantInfo& variant = find_variant(lab.variants, arguments.variant, "--variant");
        try {
            return run(lab, arguments, variant);
        } catch (const NotDoneYet& error) {
            throw Unavailable(fmt::format("{}: {}", variant.name, error.what()));
        }
    }
    std::string excluded;
    for (const VariantInfo& variant : fastest_variants(lab)) {
        if (const std::string other = without_effect(arguments, variant); !other.empty()) {
            excluded = other;
            continue;
        }
        try {
            return run(lab, arguments, variant);
        } catch (const NotDoneYet&) {
        }
    }
    if (!excluded.empty()) throw BadUsage(excluded + "; name one with --variant");
    throw Unavailable("no variant of this lab can run here; see list");
}

ExitCode bench(const Lab& lab, const Arguments& arguments, int argc, const char* const* argv) {
    BenchPlan plan;
    plan.experiments = chosen_experiments(lab, arguments.experiments);
    if (const auto reason = why_not_timed(lab)) throw BadUsage("nothing is timed: " + *reason);
    plan.csv_dir = arguments.csv_dir;
    plan.repeats = std::max(arguments.repeats, 10);
    if (!is_bench_worker()) {
        if (arguments.repeats > 0 && arguments.repeats < plan.repeats) {
            fmt::print(stderr, "note: --repeats {}: a benchmark takes at least {}\n",
                       arguments.repeats, plan.repeats);
        }
        return supervise_bench(lab, plan, argc, argv);
    }
    return work_for_bench(lab, plan,
                          {.options = arguments.options(),
                           .seed = arguments.seed,
                           .full = arguments.full,
                           .variants = bench_variants(lab, arguments)});
}

}  // namespace harness
