// The worker of a benchmark: runs the experiments and reports rows to the supervisor.

#include "bench/bench.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <opencv2/core/utility.hpp>
#include <set>

#include "bench/copies.hpp"
#include "bench/messages.hpp"
#include "bench/rounds.hpp"
#include "bench/rows.hpp"
#include "bench/targets.hpp"
#include "common/clock.hpp"
#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/events.hpp"
#include "harness/statistics.hpp"
#include "progress.hpp"

namespace harness {

using namespace common;
namespace {

/// A trial from its verification to its row.
struct TrialState {
    const Trial* trial = nullptr;
    int index = 0;  ///< in the problem
    std::unique_ptr<Runner> runner{};
    Result result{};
    std::size_t measurement = 0;  ///< its index in the rounds
    bool ready = false;           ///< verified
    std::uint64_t verified = 0;   ///< the fingerprint of the output that was compared
};

class ExperimentRun {
  public:
    ExperimentRun(const Lab& lab, const BenchPlan& plan, const BenchRequest& request,
                  WorkerChannel& channel, DisturbanceDetector& detector, int index)
        : lab_(lab),
          plan_(plan),
          request_(request),
          channel_(channel),
          detector_(detector),
          index_(index),
          experiment_(find(lab, plan, index)),
          progress_(lab.name + " " + experiment_.name) {}

    bool run(int first_problem) {
        channel_.begin_experiment(index_, columns_of(lab_, experiment_));
        const std::vector<Problem> problems = experiment_.problems(request_of(experiment_));
        for (const Problem& problem : problems) {
            for (const Trial& trial : problem.trials) {
                progress_.plan(trial.variant.name, trial.work);
            }
        }
        for (std::size_t i = static_cast<std::size_t>(first_problem); i < problems.size(); ++i) {
            problem_ = static_cast<int>(i);
            solve(problems[i]);
        }
        channel_.end_experiment();
        return all_right_;
    }

  private:
    const Lab& lab_;
    const BenchPlan& plan_;
    const BenchRequest& request_;
    WorkerChannel& channel_;
    DisturbanceDetector& detector_;
    int index_;
    const Experiment& experiment_;
    Progress progress_;
    int problem_ = 0;
    ImageSource source_;  // of input_, which consecutive problems share
    cv::Mat input_;
    bool all_right_ = true;
    std::set<std::string> not_done_;  // variants that were reported as such

    static const Experiment& find(const Lab& lab, const BenchPlan& plan, int index) {
        const std::string& name = plan.experiments.at(static_cast<std::size_t>(index));
        return *std::find_if(lab.experiments.begin(), lab.experiments.end(),
                             [&](const Experiment& experiment) { return experiment.name == name; });
    }

    BenchRequest request_of(const Experiment& experiment) const {
        BenchRequest request = request_;
        std::erase_if(request.variants, [&](const VariantInfo& variant) {
            return variant.backend == Backend::mpi && !experiment.with_ranks;
        });
        return request;
    }

    void solve(const Problem& problem) {
        std::vector<TrialState> states = states_of(problem);
        if (!states.empty()) {
            load(problem);
            const Check check = problem.check(input_);
            for (TrialState& state : states) verify(problem, state, states, check);
            measure(states, check);
            measure_more(problem, states);
        }
        channel_.end_trial();
        channel_.problem_done(rows(problem, states));
    }

    std::vector<TrialState> states_of(const Problem& problem) const {
        const WorkerTask& task = channel_.task();
        std::vector<TrialState> states;
        for (std::size_t i = 0; i < problem.trials.size(); ++i) {
            const Trial& trial = problem.trials[i];
            const bool left_out = std::find(task.left_out.begin(), task.left_out.end(),
                                            trial.variant.name) != task.left_out.end();
            if (left_out) continue;
            states.push_back({.trial = &trial, .index = static_cast<int>(i)});
        }
        return states;
    }

    void load(const Problem& problem) {
        if (problem.image.empty() && !input_.empty() && source_ == problem.input) return;
        input_ = input_of(lab_, problem);
        source_ = problem.image.empty() ? problem.input : ImageSource{};
    }

    TrialPlace place_of(const TrialState& state) const { return {index_, problem_, state.index}; }

    void begin_trial(const TrialState& state) {
        channel_.begin_trial(place_of(state), state.trial->variant.name, configuration_of(state));
    }

    std::string configuration_of(const TrialState& state) const {
        return fmt::format("{}x{} {}", input_.cols, input_.rows, state.trial->parameters);
    }

    /// Makes the first call, which has a column of its own, and compares the output.
    void verify(const Problem& problem, TrialState& state, std::vector<TrialState>& all,
                const Check& check) {
        const auto& skipped = channel_.task().skipped;
        if (std::find(skipped.begin(), skipped.end(), place_of(state)) != skipped.end()) {
            all_right_ = false;
            return;
        }
        begin_trial(state);
        const Trial& trial = *state.trial;
        Result& result = state.result;
        run_guarded(state, [&] {
            const bool bound = has_own_threads(trial.variant);
            const auto start = std::chrono::steady_clock::now();
            state.runner =
                std::make_unique<Runner>(trial.job, input_, problem.output_shape(input_));
            Runner& runner = *state.runner;
            result.cold_ms = ms_since(start) + (runner.on_gpu() ? context_ms() : 0);
            runner.fill_output(0xA5);
            if (bound) bind_threads(trial.options.threads);
            result.cold_ms += runner.call();
            unbind_calling_thread();
            result.bytes = runner.bytes();
            result.verdict = check(runner.result(), trial.variant.agreement);
            if (!result.verdict.ok()) {
                throw WrongOutput(", not timed: " + result.verdict.text());
            }
            state.verified = runner.fingerprint(trial.options.threads);
            state.ready = true;
        });
        if (!state.ready) state.runner.reset();
        for (const TrialState& other : all) {
            if (&other == &state || !state.ready) break;
            if (other.ready) state.runner->share_images(*other.runner);
        }
    }

    void measure(std::vector<TrialState>& states, const Check& check) {
        std::vector<Measurement> measurements;
        Copies copies(measurements);
        for (TrialState& state : states) {
            if (!state.ready) continue;
            run_guarded(state, [&] {
                copies.add(*state.trial, state.result.bytes);
                auto target = variant_target(*state.trial, *state.runner, state.verified, check);
                state.measurement = measurements.size();
                measurements.push_back(
                    {.target = std::move(target),
                     .before_repeat = [this, &state] { begin_trial(state); },
                     .on_exception = [this, &state] { report_exception(state); }});
            });
        }
        measure_in_rounds(measurements, plan_.repeats, detector_);
        for (TrialState& state : states) {
            if (!state.ready) continue;
            state.result.samples = measurements[state.measurement].samples;
            state.result.copy = copies.samples(*state.trial, state.result.bytes);
        }
    }

    /// Fills the experiment's own columns.
    void measure_more(const Problem& problem, std::vector<TrialState>& states) {
        for (TrialState& state : states) {
            if (problem.measured && state.result.timed()) {
                begin_trial(state);
                run_guarded(state, [&] {
                    if (state.trial->job.in_ranks() == nullptr) {
                        state.runner->call();  // the shared output holds that of another trial
                    }
                    state.result.measured = problem.measured(*state.trial, *state.runner);
                });
            }
            progress_.done(state.trial->variant.name, state.trial->work, state.trial->variant.name);
        }
    }

    std::vector<ResultRow> rows(const Problem& problem, const std::vector<TrialState>& states) {
        const Result* baseline = nullptr;
        std::vector<ResultRow> all;
        for (const TrialState& state : states) {
            if (state.result.refused) continue;
            const bool first = state.trial == &problem.trials.front();
            if (first && state.trial->variant.backend == Backend::seq) {
                baseline = &state.result;
            }
            const auto some =
                rows_of(lab_, experiment_, *state.trial, input_, state.result, baseline);
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }

    /// Runs `act`. If it throws, this trial gets no times; the others continue.
    template <class Act>
    void run_guarded(TrialState& state, Act act) {
        try {
            act();
        } catch (...) {
            state.ready = false;
            state.result.samples = {};
            report_exception(state);
        }
    }

    /// To be called while an exception is handled.
    void report_exception(TrialState& state) {
        std::string what = "an exception that is not a std::exception";
        const char* outcome = "failed";
        try {
            throw;
        } catch (const Unsupported&) {  // other trials may have options that the variant accepts
            state.result.refused = true;
            return;
        } catch (const NotDoneYet& error) {
            state.result.refused = true;
            if (!not_done_.insert(state.trial->variant.name).second) return;
            fmt::print(stderr, "note: left out: {} ({})\n", state.trial->variant.name,
                       error.what());
            return;
        } catch (const WrongOutput& error) {
            outcome = "wrong";
            what = error.what();
        } catch (const std::exception& error) {
            what = error.what();
        } catch (...) {
        }
        std::replace(what.begin(), what.end(), '\n', ' ');
        if (const auto fault = context_fault()) {
            channel_.device_fault(*fault);
            std::fflush(nullptr);
            std::_Exit(1);  // nothing that this process does on the GPU would succeed any more
        }
        all_right_ = false;
        const std::string& variant = state.trial->variant.name;
        fmt::print(stderr, "{} {} {}: {}\n", lab_.name, variant, configuration_of(state), what);
        emit({{"event", "fault"},
              {"variant", variant},
              {"configuration", configuration_of(state)},
              {"outcome", outcome},
              {"text", what}});
    }
};

}  // namespace

cv::Mat input_of(const Lab& lab, const Problem& problem) {
    return problem.image.empty() ? lab.load(problem.input) : problem.image;
}

std::vector<std::string> chosen_experiments(const Lab& lab, const std::vector<std::string>& names) {
    std::vector<std::string> known;
    for (const Experiment& experiment : lab.experiments) known.push_back(experiment.name);
    for (const std::string& name : names) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        throw BadUsage(
            fmt::format("unknown experiment '{}'; there are: {}", name, fmt::join(known, ", ")));
    }
    return names.empty() ? known : names;
}

ExitCode work_for_bench(const Lab& lab, const BenchPlan& plan, const BenchRequest& request) {
    // Libraries start their threads, and count the cores, with the binding of the thread that calls
    // them first. Only our own variants run bound.
    unbind_calling_thread();
    cv::parallel_for_({0, cv::getNumThreads()}, [](const cv::Range&) {});
    WorkerChannel channel;
    DisturbanceDetector detector;
    bool all_right = true;
    const WorkerTask task = channel.task();
    for (int i = task.experiment; i < static_cast<int>(plan.experiments.size()); ++i) {
        const int first_problem = i == task.experiment ? task.problem : 0;
        ExperimentRun run(lab, plan, request, channel, detector, i);
        if (!run.run(first_problem)) all_right = false;
    }
    channel.finished();
    return all_right ? ExitCode::done : ExitCode::failed;
}

}  // namespace harness
