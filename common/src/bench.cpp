#include "common/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "clock.hpp"
#include "common/csv.hpp"
#include "common/error.hpp"
#include "common/machine.hpp"
#include "common/measure.hpp"
#include "common/progress.hpp"
#include "common/statistics.hpp"
#include "estimate.hpp"

namespace common {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> leading_columns{"lab",
                                               "experiment",
                                               "variant",
                                               "backend",
                                               "width",
                                               "height",
                                               "channels",
                                               "parameters",
                                               "repeats",
                                               "kernel_ms_min",
                                               "kernel_ms_median",
                                               "kernel_ms_mean",
                                               "kernel_ms_max",
                                               "total_ms_mean",
                                               "cold_ms",
                                               "bytes",
                                               "gb_per_s",
                                               "percent_of_copy",
                                               "speedup_kernel",
                                               "speedup_total",
                                               "max_abs_error",
                                               "cpu",
                                               "threads",
                                               "gpu",
                                               "compiler",
                                               "commit",
                                               "timestamp"};

/// `row` counts the rows of the main file from 1.
const std::vector<std::string> sample_columns{"row", "variant", "repeat", "kernel_ms", "total_ms"};

std::string number(double value) {
    return fmt::format("{:.6g}", value);
}

/// What one trial gave; without samples if its result was wrong.
struct Result {
    Verdict verdict;
    double cold_ms = 0;
    Samples samples;
    Statistics kernel{};
    Statistics total{};
    std::size_t bytes = 0;
    std::vector<std::vector<std::string>> measured;  ///< for the experiment's own columns
};

Result run_trial(const Problem& problem, const Trial& trial, const cv::Mat& in, const Check& check,
                 int repeats) {
    Result result;
    const auto start = std::chrono::steady_clock::now();
    Runner runner(trial.job, in, problem.output_shape(in));
    result.cold_ms = ms_since(start) + (runner.on_gpu() ? context_ms() : 0);
    runner.poison(0xA5);
    result.cold_ms += runner.call();
    result.bytes = runner.bytes();
    result.verdict = check(runner.result(), trial.variant.agreement);
    if (!result.verdict.ok()) return result;
    result.samples = measure(runner, repeats);
    result.kernel = statistics(result.samples.kernel_ms);
    result.total = statistics(result.samples.total_ms);
    if (problem.measured) result.measured = problem.measured(trial, runner);
    return result;
}

class ExperimentRun {
  public:
    ExperimentRun(const Lab& lab, const BenchPlan& plan, const Experiment& experiment,
                  CopyLimits& limits)
        : lab_(lab),
          plan_(plan),
          experiment_(experiment),
          limits_(limits),
          csv_(plan.csv_dir / (experiment.name + ".csv"), header(lab, experiment)),
          samples_(plan.csv_dir / (experiment.name + "_samples.csv"), sample_columns),
          progress_(lab.name + " " + experiment.name) {}

    bool run() {
        const auto start = std::chrono::steady_clock::now();
        const std::vector<Problem> problems = experiment_.problems(plan_.request);
        for (const Problem& problem : problems) {
            for (const Trial& trial : problem.trials) {
                progress_.plan(trial.variant.name, trial.work);
            }
        }
        if (plan_.request.full) announce(problems);
        for (const Problem& problem : problems) solve(problem);
        csv_.finish();
        samples_.finish();
        const bool empty = std::all_of(problems.begin(), problems.end(),
                                       [](const Problem& p) { return p.trials.empty(); });
        fmt::print("{}: {} rows in {}, {}{}\n", experiment_.name, rows_,
                   duration_text(ms_since(start) / 1000),
                   (plan_.csv_dir / (experiment_.name + ".csv")).string(),
                   empty ? "; none of its variants can run here" : "");
        return all_right_;
    }

  private:
    const Lab& lab_;
    const BenchPlan& plan_;
    const Experiment& experiment_;
    CopyLimits& limits_;
    CsvFile csv_;
    CsvFile samples_;
    Progress progress_;
    ImageSource source_;  // of input_, which consecutive problems share
    cv::Mat input_;
    int rows_ = 0;
    bool all_right_ = true;

    static std::vector<std::string> header(const Lab& lab, const Experiment& experiment) {
        auto columns = leading_columns;
        columns.insert(columns.end(), lab.columns.begin(), lab.columns.end());
        columns.insert(columns.end(), experiment.columns.begin(), experiment.columns.end());
        return columns;
    }

    /// A complete sweep can take hours, which one would like to know before it begins.
    void announce(const std::vector<Problem>& problems) {
        std::size_t configurations = 0;
        for (const Problem& problem : problems) configurations += problem.trials.size();
        fmt::print("{}: {} configurations, about {}\n", experiment_.name, configurations,
                   duration_text(estimated_seconds(lab_, problems, plan_.repeats)));
        std::fflush(stdout);
    }

    void solve(const Problem& problem) {
        if (problem.trials.empty()) return;
        if (!problem.image.empty() || input_.empty() || !(source_ == problem.input)) {
            input_ = input_of(lab_, problem);
            source_ = problem.image.empty() ? problem.input : ImageSource{};
        }
        const Check check = problem.check(input_);
        std::optional<Result> baseline;
        for (const Trial& trial : problem.trials) {
            try {
                const Result result = run_trial(problem, trial, input_, check, plan_.repeats);
                const bool refers =
                    &trial == &problem.trials.front() && trial.variant.backend == Backend::seq;
                if (refers && result.verdict.ok()) baseline = result;
                report(trial, result, baseline);
            } catch (const Unsupported&) {
                // This variant does not take these options; the others do.
            } catch (const Error& error) {
                complain(trial, error.what());
            }
            progress_.done(trial.variant.name, trial.work, trial.variant.name);
        }
    }

    void complain(const Trial& trial, const std::string& what) {
        all_right_ = false;
        fmt::print(stderr, "{} {} {}x{} {}: {}\n", lab_.name, trial.variant.name, input_.cols,
                   input_.rows, trial.parameters, what);
    }

    void report(const Trial& trial, const Result& result, const std::optional<Result>& baseline) {
        if (!result.verdict.ok()) complain(trial, "WRONG, not timed: " + result.verdict.text());
        const std::vector<std::string> nothing(experiment_.columns.size());
        if (result.measured.empty()) write_row(trial, result, baseline, nothing);
        for (const auto& line : result.measured) write_row(trial, result, baseline, line);
        for (std::size_t i = 0; i < result.samples.kernel_ms.size(); ++i) {
            samples_.add(std::vector<std::string>{
                std::to_string(rows_), trial.variant.name, std::to_string(i + 1),
                number(result.samples.kernel_ms[i]), number(result.samples.total_ms[i])});
        }
    }

    void write_row(const Trial& trial, const Result& result, const std::optional<Result>& baseline,
                   const std::vector<std::string>& measured) {
        const bool timed = !result.samples.kernel_ms.empty();
        const auto if_timed = [timed](double value) { return timed ? number(value) : ""; };
        const auto speedup = [&](double mine, double of_baseline) {
            return timed && baseline ? number(of_baseline / mine) : "";
        };
        const double gb_per_s =
            timed ? static_cast<double>(result.bytes) / result.kernel.trimmed_mean / 1e6 : 0;
        const double limit = !timed             ? 1
                             : trial.job.device ? limits_.device(result.bytes)
                                                : limits_.host(result.bytes, trial.options.threads);
        const Statistics reference = baseline ? baseline->kernel : Statistics{};
        std::vector<std::string> row{lab_.name,
                                     experiment_.name,
                                     trial.variant.name,
                                     std::string(to_string(trial.variant.backend)),
                                     std::to_string(input_.cols),
                                     std::to_string(input_.rows),
                                     std::to_string(input_.channels()),
                                     trial.parameters,
                                     std::to_string(result.samples.kernel_ms.size()),
                                     if_timed(result.kernel.min),
                                     if_timed(result.kernel.median),
                                     if_timed(result.kernel.trimmed_mean),
                                     if_timed(result.kernel.max),
                                     if_timed(result.total.trimmed_mean),
                                     number(result.cold_ms),
                                     std::to_string(result.bytes),
                                     if_timed(gb_per_s),
                                     if_timed(100 * gb_per_s / limit),
                                     speedup(result.kernel.trimmed_mean, reference.trimmed_mean),
                                     speedup(result.total.trimmed_mean, reference.trimmed_mean),
                                     number(result.verdict.max_abs_error),
                                     machine().cpu,
                                     std::to_string(trial.options.threads),
                                     machine().gpu,
                                     machine().compiler,
                                     machine().commit,
                                     timestamp()};
        row.insert(row.end(), trial.columns.begin(), trial.columns.end());
        row.insert(row.end(), measured.begin(), measured.end());
        csv_.add(row);
        ++rows_;
    }
};

std::vector<Experiment> chosen(const Lab& lab, const std::vector<std::string>& names) {
    if (names.empty()) return lab.experiments;
    std::vector<Experiment> experiments;
    for (const std::string& name : names) {
        std::string known;
        const auto found =
            std::find_if(lab.experiments.begin(), lab.experiments.end(),
                         [&](const Experiment& experiment) { return experiment.name == name; });
        for (const Experiment& e : lab.experiments) known += (known.empty() ? "" : ", ") + e.name;
        if (found == lab.experiments.end()) {
            throw BadUsage(fmt::format("unknown experiment '{}'; there are: {}", name, known));
        }
        experiments.push_back(*found);
    }
    return experiments;
}

}  // namespace

cv::Mat input_of(const Lab& lab, const Problem& problem) {
    return problem.image.empty() ? lab.load(problem.input) : problem.image;
}

bool run_bench(const Lab& lab, const BenchPlan& plan) {
    const auto experiments = chosen(lab, plan.experiments);
    std::error_code error;
    fs::create_directories(plan.csv_dir, error);
    if (error) {
        throw BadUsage(
            fmt::format("cannot make the folder '{}': {}", plan.csv_dir.string(), error.message()));
    }
    CopyLimits limits(plan.repeats);
    bool all_right = true;
    for (const Experiment& experiment : experiments) {
        if (!ExperimentRun(lab, plan, experiment, limits).run()) all_right = false;
    }
    return all_right;
}

}  // namespace common
