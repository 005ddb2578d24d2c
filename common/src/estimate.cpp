#include "estimate.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "common/error.hpp"
#include "common/measure.hpp"

namespace common {
namespace {

/// What a trial may cost when its pace is tried, as a part of the largest: small enough to be
/// quick, large enough for the pace to be about that of the largest.
constexpr double sample_part = 0.02;

struct Sample {
    const Problem* problem = nullptr;
    const Trial* trial = nullptr;
    double rank = 0;  ///< the largest of the affordable is best, then the smallest of the others
};

/// The trial to time for each kind of trials, which differ from each other in their input only.
std::map<std::string, Sample> samples_of(const std::vector<Problem>& problems) {
    double largest = 0;
    for (const Problem& problem : problems) {
        for (const Trial& trial : problem.trials) largest = std::max(largest, trial.work);
    }
    std::map<std::string, Sample> samples;
    for (const Problem& problem : problems) {
        for (const Trial& trial : problem.trials) {
            const double rank = trial.work <= sample_part * largest ? trial.work : -trial.work;
            Sample& known = samples[trial.variant.name + trial.parameters];
            if (known.trial == nullptr || rank > known.rank) known = {&problem, &trial, rank};
        }
    }
    return samples;
}

/// Seconds of one call; 0 if the variant does not take these options.
double seconds_of_a_call(const Lab& lab, const Sample& sample) {
    const cv::Mat in = input_of(lab, *sample.problem);
    try {
        Runner runner(sample.trial->job, in, sample.problem->output_shape(in));
        if (runner.on_gpu()) runner.call();  // the first one creates context and buffers
        return runner.call() / 1000;
    } catch (const Error&) {
        return 0;
    }
}

}  // namespace

double estimated_seconds(const Lab& lab, const std::vector<Problem>& problems, int repeats) {
    std::map<std::string, double> seconds_per_work;
    for (const auto& [kind, sample] : samples_of(problems)) {
        seconds_per_work[kind] = seconds_of_a_call(lab, sample) / sample.trial->work;
    }
    double seconds = 0;
    for (const Problem& problem : problems) {
        for (const Trial& trial : problem.trials) {
            // The first call, warm-ups, and on the GPU both clocks.
            const double calls = trial.variant.on_device ? 2 * repeats + 5 : repeats + 2;
            seconds += calls * trial.work * seconds_per_work[trial.variant.name + trial.parameters];
        }
    }
    return seconds;
}

}  // namespace common
