// Times a variant against a reference. Both are called in turns, each in a worker of its own, on
// the same input, which is new in every round. Each output is compared whole.

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "common/error.hpp"
#include "judge/judge.hpp"

namespace grading {
namespace {

using nlohmann::json;

constexpr int rounds = 11;  // the first one warms up and is not counted
constexpr double most_seconds = 60;

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

Image whole(const cv::Mat& image) {
    return {reinterpret_cast<std::byte*>(image.data),
            image.cols,
            image.rows,
            image.channels(),
            static_cast<int>(image.elemSize1()),
            static_cast<std::ptrdiff_t>(image.step[0] / image.elemSize1())};
}

/// A copy of as many bytes as the call reads and writes, by all cores: nothing that reads its input
/// and writes its output takes less time.
double copy_ms(const TimedCase& timed, int threads) {
    const auto bytes_in = timed.in.total() * timed.in.elemSize();
    const auto bytes_out = timed.out.total() * timed.out.elemSize();
    std::vector<unsigned char> from(bytes_in + bytes_out, 1);
    std::vector<unsigned char> to((bytes_in + bytes_out) / 2, 2);
    const std::size_t part = to.size() / static_cast<std::size_t>(threads);
    const auto start = Clock::now();
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < threads; ++i) {
        const std::size_t begin = static_cast<std::size_t>(i) * part;
        std::memcpy(to.data() + begin, from.data() + begin, part);
    }
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A variant in its worker, with its times.
class Runner {
  public:
    Runner(const Sandbox& sandbox, const WorkerFiles& files, int threads,
           Clock::time_point deadline)
        : worker_(sandbox, files, threads, deadline), deadline_(deadline) {}

    /// Returns "" or what is wrong.
    std::string run(TimedCase& timed, bool counts) {
        timed.out.setTo(0xA5);
        const CallTime time =
            worker_.call(whole(timed.in), whole(timed.out), timed.options, deadline_);
        const common::Verdict verdict = timed.check(timed.out, {});
        if (!verdict.ok()) return verdict.text();
        if (counts) {
            ms_.push_back(time.ms);
            cpu_ms_.push_back(time.cpu_ms);
        }
        return "";
    }

    const std::vector<double>& ms() const { return ms_; }
    const std::vector<double>& cpu_ms() const { return cpu_ms_; }

  private:
    WorkerProcess worker_;
    Clock::time_point deadline_;
    std::vector<double> ms_;
    std::vector<double> cpu_ms_;
};

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

json failure(Outcome outcome, const std::string& reason) {
    return {{"outcome", to_string(outcome)}, {"reason", "in a timed call: " + reason}};
}

}  // namespace

json measure(const Sandbox& sandbox, const Task& task, const json& speed) {
    const int threads = std::min(cores(), speed.value("threads", 64));
    Secret secret(task.seed);
    const auto deadline = Clock::now() + std::chrono::seconds(static_cast<int>(2 * most_seconds));
    const auto last_round = Clock::now() + std::chrono::seconds(static_cast<int>(most_seconds));
    const std::string against = speed.value("against", "");
    std::vector<double> copies;
    try {
        Runner reference(sandbox, reference_named(task, against), threads, deadline);
        Runner variant(sandbox, task.variant, threads, deadline);
        for (int round = 0; round < rounds; ++round) {
            TimedCase timed = timed_case(speed.value("where", json::object()), threads, secret);
            const bool first = secret.next() % 2 == 0;
            if (first) {
                const std::string wrong = reference.run(timed, round > 0);
                if (!wrong.empty()) throw common::Failed("reference " + against + ": " + wrong);
            }
            const std::string wrong = variant.run(timed, round > 0);
            if (!wrong.empty()) return failure(Outcome::wrong, wrong);
            if (!first) {
                const std::string bad = reference.run(timed, round > 0);
                if (!bad.empty()) throw common::Failed("reference " + against + ": " + bad);
            }
            copies.push_back(copy_ms(timed, threads));
            if (Clock::now() > last_round && round > 2) break;
        }
        const double copy = *std::min_element(copies.begin(), copies.end());
        const double ms = median(variant.ms());
        json result{{"outcome", "right"},
                    {"reason", ""},
                    {"against", against},
                    {"where", speed.value("where", json::object())},
                    {"threads", threads},
                    {"speedup", median(reference.ms()) / ms},
                    {"ms", variant.ms()},
                    {"cpu_ms", variant.cpu_ms()},
                    {"reference_ms", reference.ms()},
                    {"copy_ms", copies}};
        if (ms < copy) {
            result["outcome"] = to_string(Outcome::implausible);
            result["reason"] = fmt::format(
                "{:.3f} ms, but a copy of the bytes takes {:.3f} ms: a person has to look at it",
                ms, copy);
        }
        const double cpu = median(variant.cpu_ms());
        if (cpu > 1.1 * threads * ms + 10) {  // cores are bound, so this must not happen
            result["outcome"] = to_string(Outcome::implausible);
            result["reason"] =
                fmt::format("{:.1f} ms of CPU time in {:.1f} ms on {} cores", cpu, ms, threads);
        }
        return result;
    } catch (const WorkerFailed& failed) {
        return failure(failed.outcome, failed.what());
    }
}

}  // namespace grading
