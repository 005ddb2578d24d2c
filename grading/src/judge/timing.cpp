// Times a variant against a reference. Both are called in turns, each in a worker of its own, on
// the same input, which is new in every round. Each output is compared whole.

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "common/error.hpp"
#include "harness/measure.hpp"
#include "harness/speed_points.hpp"
#include "judge/judge.hpp"
#include "judge/threads.hpp"
#include "judge/timing.hpp"

namespace grading {

using nlohmann::json;

Image whole(const cv::Mat& image) {
    return {reinterpret_cast<std::byte*>(image.data),
            image.cols,
            image.rows,
            image.channels(),
            static_cast<int>(image.elemSize1()),
            static_cast<std::ptrdiff_t>(image.step[0] / image.elemSize1())};
}

const WorkerFiles& reference_named(const Task& task, const std::string& name) {
    for (const WorkerFiles& files : task.references) {
        if (files.name == name) return files;
    }
    throw common::Failed("no reference " + name);
}

int cores() {
    cpu_set_t all;
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof all, &all);
    return std::max(1, CPU_COUNT(&all));
}

CallTime timed_call(WorkerProcess& worker, TimedCase& timed, Clock::time_point deadline) {
    timed.out.setTo(0xA5);
    const CallTime time = worker.call(whole(timed.in), whole(timed.out), timed.options, deadline);
    const harness::Verdict verdict = timed.check(timed.out, {});
    if (!verdict.ok()) throw WorkerFailed(Outcome::wrong, verdict.text());
    return time;
}

json inputs_of(const json& speed) {
    return {{"where", speed.value("where", json::object())}};
}

json failure(Outcome outcome, const std::string& reason) {
    return {{"outcome", to_string(outcome)}, {"reason", "in a timed call: " + reason}};
}

namespace {

constexpr std::size_t least_rounds = 10;
constexpr std::size_t most_rounds = 40;
constexpr std::size_t rounds_of_a_worker = 5;
constexpr auto usual_time = std::chrono::seconds(12);
constexpr double quiet_part = 0.05;
constexpr double most_uncertain_points = 0.25;

/// A copy of as many bytes as the call reads and writes, by all cores: nothing that reads its input
/// and writes its output takes less time. Where other programs run, its threads have to be
/// preferred as those of a worker are, or honest work would be faster than the copy.
double copy_ms(const TimedCase& timed, int threads) {
    const auto bytes_in = timed.in.total() * timed.in.elemSize();
    const auto bytes_out = timed.out.total() * timed.out.elemSize();
    std::vector<unsigned char> from(bytes_in + bytes_out, 1);
    std::vector<unsigned char> to((bytes_in + bytes_out) / 2, 2);
    const std::size_t part = to.size() / static_cast<std::size_t>(threads);
#pragma omp parallel num_threads(threads)
    {}  // its threads are there before they are preferred
    const PreferredHere as_a_worker;
    const auto start = Clock::now();
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < threads; ++i) {
        const std::size_t begin = static_cast<std::size_t>(i) * part;
        std::memcpy(to.data() + begin, from.data() + begin, part);
    }
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A library is trusted, so it is called here. It has as many threads as it likes.
CallTime library_call(const TimedCase& timed) {
    harness::Runner runner(timed.job_of_library, timed.in, harness::Shape::of(timed.out));
    runner.fill_output(0xA5);  // its pages are there, as the worker's are
    const PreferredHere as_a_worker;
    const double waited_before = Waited::of(getpid()).sum_ms + stolen_ms();
    const double ms = runner.call();
    return {ms, 0, Waited::of(getpid()).sum_ms + stolen_ms() - waited_before};
}

/// The times of one input.
struct Round {
    CallTime reference;
    CallTime variant;
    CallTime alone;  ///< the variant with one thread, if its gain of threads counts
    double copy_ms = 0;

    /// The part of the time in which threads, or the virtual machine, waited for a core.
    double disturbance() const {
        return (reference.waited_ms + variant.waited_ms) / (reference.ms + variant.ms);
    }
    bool is_quiet() const { return disturbance() < quiet_part; }
    TimePair times() const { return {reference.ms, variant.ms}; }
};

/// A task for several threads: an OpenMP variant with points for speed.
bool is_for_threads(const Task& task, const json& speed) {
    return task.variant.name.starts_with("omp_") && speed.contains("floor");
}

/// True if more rounds would hardly change the points. A ratio without points is only shown.
bool are_enough(const std::vector<Round>& rounds, const json& speed, const Secret& secret) {
    std::vector<TimePair> quiet;
    std::vector<TimePair> alone;  // without calls with one thread, all times of these are 0
    for (const Round& round : rounds) {
        if (!round.is_quiet()) continue;
        quiet.push_back(round.times());
        alone.push_back({round.alone.ms, round.variant.ms});
    }
    if (quiet.size() < least_rounds) return false;
    const auto [low_gain, high_gain] = interval_of_ratio(alone, secret.derived("gain"));
    if (low_gain < harness::least_gain && high_gain >= harness::least_gain) return false;
    if (!speed.contains("floor")) return true;
    const auto [low, high] = interval_of_ratio(quiet, secret.derived("bootstrap"));
    const auto points = [&](double ratio) {
        return harness::speed_points(ratio, speed["floor"], speed["full"], speed["points"]);
    };
    return points(high) - points(low) < most_uncertain_points;
}

/// The quiet rounds; if there are few of them, the quietest ones.
std::vector<Round> quietest(std::vector<Round> rounds) {
    std::stable_sort(rounds.begin(), rounds.end(), [](const Round& a, const Round& b) {
        return a.disturbance() < b.disturbance();
    });
    const auto quiet = static_cast<std::size_t>(std::count_if(
        rounds.begin(), rounds.end(), [](const Round& round) { return round.is_quiet(); }));
    rounds.resize(std::min(rounds.size(), std::max(quiet, least_rounds)));
    return rounds;
}

/// The workers, called in turns.
class Contest {
  public:
    Contest(const Sandbox& sandbox, const Task& task, const json& speed, const Secret& secret)
        : threads_(std::min(cores(), speed.value("threads", 64))),
          against_(speed.at("against")),
          has_library_(against_.starts_with("peer_") && !task.variant.on_device),
          speed_(speed),
          is_called_alone_(threads_ > 1 && is_for_threads(task, speed)),
          inputs_(has_library_ ? speed : inputs_of(speed)),
          secret_(secret),
          sandbox_(sandbox),
          task_(task) {}

    int threads() const { return threads_; }
    bool has_gain() const { return is_called_alone_; }

    /// Rounds until the points are certain, or there is no more time. At least two workers are
    /// timed, since all threads of one may have come to the same core, where they stay, or its
    /// memory may lie worse.
    std::vector<Round> rounds() {
        std::vector<Round> all;
        while (all.size() < least_rounds ||
               (all.size() < most_rounds && Clock::now() < last_round_ &&
                !are_enough(all, speed_, secret_))) {
            if (all.size() % rounds_of_a_worker == 0) start_workers();
            all.push_back(next_round());
        }
        return quietest(all);
    }

  private:
    Clock::time_point last_round_ = Clock::now() + usual_time;
    Clock::time_point deadline_ = Clock::now() + std::chrono::seconds(120);
    int threads_;
    std::string against_;
    bool has_library_;
    json speed_;
    bool is_called_alone_;  ///< with one thread, too
    json inputs_;
    Secret secret_;
    std::uint64_t next_input_ = 0;
    const Sandbox& sandbox_;
    const Task& task_;
    std::optional<WorkerProcess> reference_;  ///< not for a library
    std::optional<WorkerProcess> variant_;
    std::optional<WorkerProcess> alone_;  ///< the variant on one core

    void start_workers() {
        variant_.emplace(sandbox_, task_.variant, threads_, deadline_);
        if (is_called_alone_) alone_.emplace(sandbox_, task_.variant, 1, deadline_);
        if (!has_library_) {
            reference_.emplace(sandbox_, reference_named(task_, against_), threads_, deadline_);
        }
        next_round();  // warms up
    }

    Round next_round() {
        Secret own = secret_.derived("input", next_input_);
        Secret same = own;
        const bool reference_first = secret_.derived("order", next_input_++).next() % 2 == 0;
        TimedCase timed = timed_case(inputs_, threads_, own);
        Round result;
        if (reference_first) result.reference = call_reference(timed);
        result.variant = timed_call(*variant_, timed, deadline_);
        if (!reference_first) result.reference = call_reference(timed);
        if (alone_) {
            TimedCase with_one_thread = timed_case(inputs_, 1, same);
            result.alone = timed_call(*alone_, with_one_thread, deadline_);
        }
        result.copy_ms = copy_ms(timed, threads_);
        return result;
    }

    CallTime call_reference(TimedCase& timed) {
        if (!reference_) return library_call(timed);
        try {
            return timed_call(*reference_, timed, deadline_);
        } catch (const WorkerFailed& failed) {  // the fault is not the student's
            throw common::Failed("reference " + against_ + ": " + failed.what());
        }
    }
};

/// How many times as fast the variant is as with one thread, on the same inputs. A variant may be
/// slow on purpose where it has one thread, so the CPU time of its threads counts as well.
double gain_of_threads(const std::vector<Round>& rounds) {
    std::vector<TimePair> alone;
    std::vector<TimePair> cores;
    for (const Round& round : rounds) {
        alone.push_back({round.alone.ms, round.variant.ms});
        cores.push_back({round.variant.cpu_ms, round.variant.ms});
    }
    return std::min(median_ratio(alone), median_ratio(cores));
}

template <class Get>
std::vector<double> all_of(const std::vector<Round>& rounds, Get get) {
    std::vector<double> values;
    for (const Round& round : rounds) values.push_back(get(round));
    return values;
}

}  // namespace

json measure(const Sandbox& sandbox, const Task& task, const json& speed, const Secret& secret) {
    if (task.variant.gpu) {
        if (const auto result = measure_batches(sandbox, task, speed, secret)) return *result;
    }
    std::vector<Round> rounds;
    bool has_gain = false;
    int threads = 0;
    try {
        Contest contest(sandbox, task, speed, secret);
        threads = contest.threads();
        rounds = contest.rounds();
        has_gain = contest.has_gain();
    } catch (const WorkerFailed& failed) {
        return failure(failed.outcome, failed.what());
    }
    const auto ms = all_of(rounds, [](const Round& round) { return round.variant.ms; });
    const auto cpu_ms = all_of(rounds, [](const Round& round) { return round.variant.cpu_ms; });
    const auto reference_ms = all_of(rounds, [](const Round& round) { return round.reference.ms; });
    const auto copies = all_of(rounds, [](const Round& round) { return round.copy_ms; });
    const auto disturbances =
        all_of(rounds, [](const Round& round) { return round.disturbance(); });
    const double time = median(ms);
    std::vector<TimePair> pairs;
    for (const Round& round : rounds) pairs.push_back(round.times());
    json result{{"outcome", "right"},
                {"reason", ""},
                {"against", speed.at("against")},
                {"where", speed.value("where", json::object())},
                {"threads", threads},
                {"speedup", median_ratio(pairs)},
                {"disturbance", median(disturbances)},
                {"ms", ms},
                {"cpu_ms", cpu_ms},
                {"reference_ms", reference_ms},
                {"copy_ms", copies}};
    if (task.variant.gpu) result["gpu"] = "copies";
    if (has_gain) {
        result["one_thread_ms"] = all_of(rounds, [](const Round& round) { return round.alone.ms; });
        result["gain"] = gain_of_threads(rounds);
    }
    const auto doubt = [&](const std::string& reason) {
        result["outcome"] = to_string(Outcome::implausible);
        result["reason"] = reason + ": a person has to look at it";
    };
    const double copy = *std::min_element(copies.begin(), copies.end());
    const double cpu = median(cpu_ms);
    if (time < copy) {
        doubt(fmt::format("{:.3f} ms, but a copy of the bytes takes {:.3f} ms", time, copy));
    }
    if (cpu > 1.1 * threads * time + 10) {  // cores are bound, so this must not happen
        doubt(fmt::format("{:.1f} ms of CPU time in {:.1f} ms on {} cores", cpu, time, threads));
    }
    return result;
}

}  // namespace grading
