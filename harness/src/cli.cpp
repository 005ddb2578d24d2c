// The command line that all labs share: list, run, bench, device.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <opencv2/core/utils/logger.hpp>

#include "bench/bench.hpp"
#include "common/error.hpp"
#include "device/report.hpp"
#include "explain/command.hpp"
#include "harness/lab.hpp"
#include "harness/machine.hpp"
#include "harness/measure.hpp"
#include "harness/statistics.hpp"

namespace common {
namespace {

struct Arguments {
    bool json = false;
    std::string input;
    std::string output;
    std::string save_input;
    std::string variant;
    bool verify = false;
    bool explain = false;
    std::string against;
    int threads = cpu_cores();
    std::string block;
    int repeats = 0;  // 0: the subcommand's own default
    std::uint64_t seed = 1;
    std::vector<std::string> experiments;
    std::vector<std::string> variants;
    std::vector<std::string> exclude;
    bool quick = false;
    bool full = false;
    std::string csv_dir = ".";

    RunOptions options() const {
        RunOptions options{.threads = threads, .block = {}};
        if (!block.empty()) options.block = parse_block(block);
        return options;
    }
};

void add_common(CLI::App& command, Arguments& arguments) {
    command.add_option("--threads", arguments.threads, "OpenMP threads; default: all cores")
        ->check(CLI::Range(1, 4096));
    command.add_option("--block", arguments.block,
                       "threads of a CUDA block, like 32x8; default: the variant's own choice");
    command
        .add_option("--repeats", arguments.repeats,
                    "timed repeats; default: 3 for run, 10 for bench")
        ->check(CLI::Range(1, 100000));
    command.add_option("--seed", arguments.seed, "of random inputs; default 1");
}

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
}

/// The variants that can run here and are timed, the fastest first.
std::vector<VariantInfo> fastest_variants(const Lab& lab) {
    std::vector<VariantInfo> fastest;
    for (const std::string& candidate : lab.fastest) {  // its file may have been deleted
        for (const VariantInfo& variant : lab.variants) {
            if (variant.name != candidate) continue;
            if (!why_unavailable(variant) && !is_emulated(variant)) fastest.push_back(variant);
        }
    }
    return fastest;
}

void print_run(const Lab& lab, const Arguments& arguments, const Trial& trial, const cv::Mat& in,
               const Shape& out, const Samples& samples, double cold_ms) {
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
            {"output_values", lab.describe_output(out)}};
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
    fmt::print("output   {}, {}\n", arguments.output, lab.describe_output(out));
}

void run(const Lab& lab, const Arguments& arguments, const VariantInfo& variant) {
    std::optional<ExplainCommand> explain;
    if (arguments.explain) explain.emplace(lab, variant, arguments.against, arguments.output);
    const RunOptions options = arguments.options();
    const ImageSource source = parse_source(arguments.input, arguments.seed);
    const Problem problem = lab.problem(source, variant, options);
    lab.check_output(arguments.output);
    if (!arguments.save_input.empty()) check_writable_image(arguments.save_input);
    if (const auto reason = why_unavailable(variant)) {
        throw Unavailable(fmt::format("{} cannot run here: {}", variant.name, *reason));
    }

    const cv::Mat in = input_of(lab, problem);
    if (!arguments.save_input.empty() && in.depth() != CV_8U) {
        throw BadUsage("--save-input: this lab's pixels have more than 8 bits");
    }
    const Shape shape = problem.output_shape(in);
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
    lab.write_output(arguments.output, runner.result());
    if (!arguments.save_input.empty()) write_image(arguments.save_input, in);
    print_run(lab, arguments, trial, in, shape, samples, cold_ms);
    if (explain) explain->print(source, options, in);
}

/// Runs the variant that was named, or the fastest one that is done.
void run(const Lab& lab, const Arguments& arguments) {
    if (!arguments.variant.empty()) {
        const VariantInfo& variant = find_variant(lab.variants, arguments.variant);
        try {
            return run(lab, arguments, variant);
        } catch (const NotDoneYet& error) {
            throw Unavailable(fmt::format("{}: {}", variant.name, error.what()));
        }
    }
    for (const VariantInfo& variant : fastest_variants(lab)) {
        try {
            return run(lab, arguments, variant);
        } catch (const NotDoneYet&) {
        }
    }
    throw Unavailable("no variant of this lab can run here; see list");
}

/// The chosen variants (by default all) that can be timed; prints a note on the others.
std::vector<VariantInfo> bench_variants(const Lab& lab, const Arguments& arguments) {
    const auto names = [](const std::vector<std::string>& list, const std::string& name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    for (const std::string& name : arguments.variants) find_variant(lab.variants, name);
    std::vector<VariantInfo> chosen;
    std::map<std::string, std::string> left_out;  // names, for each reason
    for (const VariantInfo& variant : lab.variants) {
        const bool wanted = arguments.variants.empty() || variant.backend == Backend::seq ||
                            names(arguments.variants, variant.name);
        if (!wanted || names(arguments.exclude, variant.name)) continue;
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

ExitCode bench(const Lab& lab, const Arguments& arguments, int argc, const char* const* argv) {
    BenchPlan plan;
    plan.experiments = chosen_experiments(lab, arguments.experiments);
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

ExitCode dispatch(const Lab& lab, int argc, const char* const* argv) {
    Arguments arguments;
    CLI::App app(lab.what);
    app.require_subcommand(1);

    CLI::App* list_command =
        app.add_subcommand("list", "the variants and whether they can run here");
    list_command->add_flag("--json", arguments.json, "as a JSON array");

    CLI::App* run_command = app.add_subcommand("run", "process one image");
    run_command
        ->add_option("INPUT", arguments.input,
                     "an image file, scene:NAME:WxH, or random:WxH[:SEED]")
        ->required();
    run_command->add_option("--output", arguments.output, "file to write")->required();
    run_command->add_option("--save-input", arguments.save_input,
                            "picture to write of the input, as the lab sees it");
    run_command->add_option("--variant", arguments.variant,
                            "see list; default: the fastest that can run here");
    run_command->add_flag("--verify", arguments.verify, "compare with the definition first");
    auto* json = run_command->add_flag("--json", arguments.json, "report as JSON");
    auto* explain = run_command->add_flag(
        "--explain", arguments.explain,
        "count what the kernels do in memory, by source line (builds with LABS_CUDA=EMULATE)");
    explain->excludes(json);
    run_command
        ->add_option("--against", arguments.against,
                     "with --explain: print the totals beside those of this variant")
        ->needs(explain);
    add_common(*run_command, arguments);
    lab.add_options(*run_command);

    CLI::App* bench_command = app.add_subcommand("bench", "run experiments, write CSV files");
    std::string names;
    for (const Experiment& e : lab.experiments) names += "\n  " + e.name + ": " + e.what;
    bench_command->add_option("EXPERIMENT", arguments.experiments,
                              "default: all, which are" + names);
    auto* quick = bench_command->add_flag("--quick", arguments.quick, "small inputs (default)");
    bench_command->add_flag("--full", arguments.full, "the complete sweep")->excludes(quick);
    bench_command->add_option("--csv-dir", arguments.csv_dir, "where to write; default: here");
    bench_command
        ->add_option("--variants", arguments.variants,
                     "only these and the sequential ones, with commas between")
        ->delimiter(',')
        ->allow_extra_args(false);
    bench_command->add_option("--exclude", arguments.exclude, "not these, with commas between")
        ->delimiter(',')
        ->allow_extra_args(false);
    add_common(*bench_command, arguments);
    lab.add_options(*bench_command);

    CLI::App* device_command =
        app.add_subcommand("device", "the machine, and what kernels use of it");

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        app.exit(help);
        return ExitCode::done;
    } catch (const CLI::ParseError& error) {
        const bool unknown = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-';
        if (unknown) throw BadUsage(fmt::format("no subcommand '{}' (see --help)", argv[1]));
        throw BadUsage(std::string(error.what()) + " (see --help)");
    }
    if (list_command->parsed()) list(lab, arguments.json);
    if (run_command->parsed()) run(lab, arguments);
    if (device_command->parsed()) print_device(lab);
    return bench_command->parsed() ? bench(lab, arguments, argc, argv) : ExitCode::done;
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

int run_lab(const Lab& lab, int argc, const char* const* argv) {
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    const auto fail = [&](ExitCode code, const std::string& what) {
        fmt::print(stderr, "error: {}\n", one_line(what));
        return static_cast<int>(code);
    };
    try {
        return static_cast<int>(dispatch(lab, argc, argv));
    } catch (const Error& error) {
        return fail(error.code, error.what());
    } catch (const std::bad_alloc&) {
        return fail(ExitCode::failed, "not enough memory");
    } catch (const std::exception& error) {
        return fail(ExitCode::failed, error.what());
    }
}

}  // namespace common
