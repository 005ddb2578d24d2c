// The command line that all labs share: list, run, bench, device.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <opencv2/core/utils/logger.hpp>

#include "commands.hpp"
#include "common/error.hpp"
#include "device/report.hpp"
#include "harness/command_options.hpp"
#include "harness/ranks.hpp"

namespace harness {

using namespace common;
namespace {

/// Names what is accepted. CLI11 itself takes "-1" for a large number.
CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest) {
    const auto fault = [=](const std::string& text) {
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [last, error] = std::from_chars(text.data(), end, value);
        const bool good =
            error == std::errc{} && last == end && value >= lowest && value <= highest;
        return good ? std::string()
                    : fmt::format("expected a whole number from {} to {}, not '{}'", lowest,
                                  highest, text);
    };
    return {fault, fmt::format("in [{} - {}]", lowest, highest)};
}

void add_common(CLI::App& command, Arguments& arguments) {
    command.add_option("--threads", arguments.threads, "OpenMP threads; default: all cores")
        ->check(whole_number(1, 4096));
    command
        .add_option("--ranks", arguments.ranks,
                    "processes of an mpi variant, which share the --threads; default 2")
        ->check(whole_number(1, 4096));
    command.add_option("--block", arguments.block,
                       "threads of a CUDA block, like 32x8; default: the variant's own choice");
    command
        .add_option("--repeats", arguments.repeats,
                    "timed repeats; default: 3 for run, 10 for bench")
        ->check(whole_number(1, 100000));
    command.add_option("--seed", arguments.seed, "of random inputs; default 1")
        ->check(whole_number(0, UINT64_MAX));
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
    auto* memory =
        run_command
            ->add_option("--memory", arguments.memory_mib,
                         "most MiB of memory: a .pgm, .ppm, .tif or .tiff picture of any size is "
                         "computed in bands of rows")
            ->check(whole_number(1, 1 << 30));
    run_command
        ->add_flag("--resume", arguments.resume, "with --memory: continue after the run was killed")
        ->needs(memory);
    auto* json = run_command->add_flag("--json", arguments.json, "report as JSON");
    auto* explain = run_command->add_flag(
        "--explain", arguments.explain,
        "count what the kernels do in memory, by source line (builds with LABS_CUDA=EMULATE)");
    explain->excludes(json)->excludes(memory);
    run_command
        ->add_option("--against", arguments.against,
                     "with --explain: print the totals beside those of this variant")
        ->needs(explain);
    add_common(*run_command, arguments);
    CommandOptions run_options(*run_command);
    lab.add_options(run_options);

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
    CommandOptions bench_options(*bench_command);
    lab.add_options(bench_options);

    CLI::App* device_command =
        app.add_subcommand("device",
                           "the machine, what kernels use of it, and the least time of this lab "
                           "by its measured rates of a copy and of multiply-adds (3 s)");

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
    for (const CLI::Option* option : run_command->get_options()) {
        if (option->count() > 0) arguments.given.insert(option->get_name());
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

std::string CommandOptions::subcommand() const {
    return command_.get_name();
}

void CommandOptions::text(const std::string& name, std::string& value, const std::string& what) {
    command_.add_option(name, value, what);
}

void CommandOptions::choice(const std::string& name, const std::vector<std::string>& choices,
                            const std::function<void(const std::string&)>& choose,
                            const std::string& what) {
    command_.add_option_function(name, choose, what)->check(CLI::IsMember(choices));
}

void CommandOptions::integer(const std::string& name, std::optional<int>& value,
                             const std::string& what, std::uint32_t lowest, std::uint32_t highest) {
    command_.add_option(name, value, what)->check(whole_number(lowest, highest));
}

void CommandOptions::real(const std::string& name, std::optional<double>& value,
                          const std::string& what) {
    command_.add_option(name, value, what)->check([](const std::string& text) {
        double ignored = 0;
        const char* const end = text.data() + text.size();
        const auto [last, error] = std::from_chars(text.data(), end, ignored);
        const bool good = error == std::errc{} && last == end;
        return good ? std::string() : fmt::format("expected a number, not '{}'", text);
    });
}

void CommandOptions::inputs(const std::string& name, std::vector<std::string>& values,
                            const std::string& what) {
    command_.add_option(name, values, what)->check([](const std::string& input) {
        const bool there = !parse_source(input).scene.empty() || std::filesystem::exists(input);
        return there ? std::string() : "no such file: " + input;
    });
}

int run_lab(const Lab& lab, int argc, const char* const* argv) {
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    if (is_rank(argc, argv)) return serve_as_rank(argc, argv);
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

}  // namespace harness
