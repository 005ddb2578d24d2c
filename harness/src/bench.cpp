// The worker of a benchmark: runs the experiments and reports rows to the supervisor.

#include "harness/bench.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <opencv2/core/utility.hpp>
#include <optional>

#include "bench_rows.hpp"
#include "clock.hpp"
#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/progress.hpp"
#include "harness/statistics.hpp"
#include "rounds.hpp"
#include "supervisor.hpp"

namespace common {
namespace {

/// A trial on its way from verification to its row.
struct Contender {
    const Trial* trial = nullptr;
    int index = 0;  ///< in the problem
    std::unique_ptr<Runner> runner{};
    Result result{};
    std::size_t entrant = 0;  ///< in the rounds
    bool ready = false;       ///< verified, and has a place in the rounds
};

/// The copies that a problem's variants are compared with.
class Copies {
  public:
    explicit Copies(std::vector<Entrant>& entrants) : entrants_(entrants) {}

    void enter(const Trial& trial, std::size_t bytes) {
        const auto [entry, is_new] = places_.try_emplace(key(trial, bytes), entrants_.size());
        if (!is_new) return;
        entrants_.push_back({.candidate = trial.job.device
                                              ? device_copy_candidate(bytes)
                                              : host_copy_candidate(bytes, trial.options.threads)});
    }

    const Samples& samples(const Trial& trial, std::size_t bytes) const {
        return entrants_.at(places_.at(key(trial, bytes))).samples;
    }

  private:
    std::vector<Entrant>& entrants_;
    std::map<std::pair<std::size_t, int>, std::size_t> places_;

    static std::pair<std::size_t, int> key(const Trial& trial, std::size_t bytes) {
        return {bytes, trial.job.device ? 0 : trial.options.threads};
    }
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
        auto columns = leading_columns();
        columns.insert(columns.end(), lab_.columns.begin(), lab_.columns.end());
        columns.insert(columns.end(), experiment_.columns.begin(), experiment_.columns.end());
        channel_.begin_experiment(index_, columns);
        const std::vector<Problem> problems = experiment_.problems(request_);
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

    static const Experiment& find(const Lab& lab, const BenchPlan& plan, int index) {
        const std::string& name = plan.experiments.at(static_cast<std::size_t>(index));
        return *std::find_if(lab.experiments.begin(), lab.experiments.end(),
                             [&](const Experiment& experiment) { return experiment.name == name; });
    }

    void solve(const Problem& problem) {
        std::vector<Contender> contenders = contenders_of(problem);
        if (!contenders.empty()) {
            load(problem);
            const Check check = problem.check(input_);
            for (Contender& contender : contenders) verify(problem, contender, contenders, check);
            measure(contenders, check);
            measure_more(problem, contenders);
        }
        channel_.nobody();
        channel_.problem_done(rows(problem, contenders));
    }

    std::vector<Contender> contenders_of(const Problem& problem) const {
        const Orders& orders = channel_.orders();
        std::vector<Contender> contenders;
        for (std::size_t i = 0; i < problem.trials.size(); ++i) {
            const Trial& trial = problem.trials[i];
            const bool left_out = std::find(orders.left_out.begin(), orders.left_out.end(),
                                            trial.variant.name) != orders.left_out.end();
            if (left_out) continue;
            contenders.push_back({.trial = &trial, .index = static_cast<int>(i)});
        }
        return contenders;
    }

    void load(const Problem& problem) {
        if (problem.image.empty() && !input_.empty() && source_ == problem.input) return;
        input_ = input_of(lab_, problem);
        source_ = problem.image.empty() ? problem.input : ImageSource{};
    }

    TrialPlace place_of(const Contender& contender) const {
        return {index_, problem_, contender.index};
    }

    void name(const Contender& contender) {
        channel_.announce(
            place_of(contender), contender.trial->variant.name,
            fmt::format("{}x{} {}", input_.cols, input_.rows, contender.trial->parameters));
    }

    /// The first call, whose cost is reported apart, and whether its output is right.
    void verify(const Problem& problem, Contender& contender, std::vector<Contender>& all,
                const Check& check) {
        const auto& skipped = channel_.orders().skipped;
        if (std::find(skipped.begin(), skipped.end(), place_of(contender)) != skipped.end()) {
            all_right_ = false;
            return;
        }
        name(contender);
        const Trial& trial = *contender.trial;
        Result& result = contender.result;
        guard(contender, [&] {
            const bool bound = !trial.variant.on_device && trial.variant.backend != Backend::peer;
            const auto start = std::chrono::steady_clock::now();
            contender.runner =
                std::make_unique<Runner>(trial.job, input_, problem.output_shape(input_));
            Runner& runner = *contender.runner;
            result.cold_ms = ms_since(start) + (runner.on_gpu() ? context_ms() : 0);
            runner.poison(0xA5);
            if (bound) bind_threads(trial.options.threads);
            result.cold_ms += runner.call();
            unbind_calling_thread();
            result.bytes = runner.bytes();
            result.verdict = check(runner.result(), trial.variant.agreement);
            if (!result.verdict.ok()) {
                throw Failed("WRONG, not timed: " + result.verdict.text());
            }
            contender.ready = true;
        });
        if (!contender.ready) contender.runner.reset();
        for (const Contender& other : all) {
            if (&other == &contender || !contender.ready) break;
            if (other.ready) contender.runner->share_images(*other.runner);
        }
    }

    void measure(std::vector<Contender>& contenders, const Check& check) {
        std::vector<Entrant> entrants;
        Copies copies(entrants);
        std::map<std::size_t, Contender*> by_entrant;
        for (Contender& contender : contenders) {
            if (!contender.ready) continue;
            const bool made = guard(contender, [&] {
                copies.enter(*contender.trial, contender.result.bytes);
                contender.entrant = entrants.size();
                entrants.push_back(
                    {.candidate = variant_candidate(*contender.trial, *contender.runner, check)});
            });
            if (made) by_entrant[contender.entrant] = &contender;
        }
        const auto with_contender = [&](std::size_t entrant, auto act) {
            const auto found = by_entrant.find(entrant);
            if (found != by_entrant.end()) act(*found->second);
        };
        measure_in_rounds(
            entrants, plan_.repeats, detector_,
            [&](std::size_t entrant) {
                with_contender(entrant, [this](Contender& one) { name(one); });
            },
            [&](std::size_t entrant) {
                if (!by_entrant.contains(entrant)) std::rethrow_exception(std::current_exception());
                with_contender(entrant, [this](Contender& one) { report_exception(one); });
            });
        for (const auto& [entrant, contender] : by_entrant) {
            contender->result.samples = entrants[entrant].samples;
            contender->result.copy = copies.samples(*contender->trial, contender->result.bytes);
        }
    }

    /// Fills the experiment's own columns, with the variant's own output in place.
    void measure_more(const Problem& problem, std::vector<Contender>& contenders) {
        for (Contender& contender : contenders) {
            if (problem.measured && contender.result.timed()) {
                name(contender);
                guard(contender, [&] {
                    contender.runner->call();  // the output is that of another trial
                    contender.result.measured =
                        problem.measured(*contender.trial, *contender.runner);
                });
            }
            progress_.done(contender.trial->variant.name, contender.trial->work,
                           contender.trial->variant.name);
        }
    }

    std::vector<ResultRow> rows(const Problem& problem, const std::vector<Contender>& contenders) {
        const Result* baseline = nullptr;
        std::vector<ResultRow> all;
        for (const Contender& contender : contenders) {
            if (contender.result.refused) continue;
            const bool first = contender.trial == &problem.trials.front();
            if (first && contender.trial->variant.backend == Backend::seq) {
                baseline = &contender.result;
            }
            const auto some = rows_of(lab_, experiment_.name, experiment_.columns.size(),
                                      *contender.trial, input_, contender.result, baseline);
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }

    /// Runs `act`; whatever it throws costs this trial alone. Whether it threw nothing.
    template <class Act>
    bool guard(Contender& contender, Act act) {
        try {
            act();
            return true;
        } catch (...) {
            contender.ready = false;
            contender.result.samples = {};
            report_exception(contender);
            return false;
        }
    }

    /// To be called while an exception is handled.
    void report_exception(Contender& contender) {
        std::string what = "an exception that is no std::exception";
        try {
            throw;
        } catch (const Unsupported&) {  // it does not take these options; the others do
            contender.result.refused = true;
            return;
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
        fmt::print(stderr, "{} {} {}x{} {}: {}\n", lab_.name, contender.trial->variant.name,
                   input_.cols, input_.rows, contender.trial->parameters, what);
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
    const Orders orders = channel.orders();
    for (int i = orders.experiment; i < static_cast<int>(plan.experiments.size()); ++i) {
        const int first_problem = i == orders.experiment ? orders.problem : 0;
        ExperimentRun run(lab, plan, request, channel, detector, i);
        if (!run.run(first_problem)) all_right = false;
    }
    channel.finished();
    return all_right ? ExitCode::done : ExitCode::failed;
}

}  // namespace common
