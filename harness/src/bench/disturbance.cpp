#include "bench/disturbance.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

#include "common/clock.hpp"
#include "harness/machine.hpp"

namespace harness {

using namespace common;
namespace {

constexpr int work_length = 10'000;        // about 20 us
constexpr int first_calibrations = 50;     // to know how long an undisturbed one takes
constexpr double calibration_slack = 1.4;  // times the shortest; the clock rate alone varies less
constexpr double waiting_share = 0.05;     // of the wall-clock time
constexpr double waiting_ns = 20'000;      // a wake-up costs some microseconds in any case
constexpr std::size_t most_tasks = 256;    // reading one file each must stay short

/// Nanoseconds of work that needs no memory: independent chains that keep the core's multipliers
/// busy, so that another hardware thread of the same core slows them down too.
double time_of_work() {
    const auto start = std::chrono::steady_clock::now();
    volatile std::uint64_t seed = 1;  // the compiler would compute what starts from a constant
    std::array<std::uint64_t, 8> chains{};
    const std::uint64_t first = seed;
    chains.fill(first);
    for (int i = 0; i < work_length; ++i) {
        for (std::uint64_t& x : chains) x = x * 6364136223846793005u + 1442695040888963407u;
    }
    seed = std::accumulate(chains.begin(), chains.end(), std::uint64_t{0});
    return 1e6 * ms_since(start);
}

/// The slowest of `threads` OpenMP threads, on which a variant will run.
double slowest_work(int threads) {
    if (threads == 1) return time_of_work();
    double slowest = 0;
#pragma omp parallel num_threads(threads) reduction(max : slowest)
    slowest = time_of_work();
    return slowest;
}

/// The time that the threads of this process have waited for a core so far.
std::optional<double> waiting_time_ns() {
    double sum = 0;
    std::size_t tasks = 0;
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
        std::ifstream in(task.path() / "schedstat");
        double ran = 0;
        double waited = 0;
        if (!(in >> ran >> waited) || ++tasks > most_tasks) return std::nullopt;
        sum += waited;
    }
    return error ? std::nullopt : std::optional(sum);
}

std::vector<int> processors_of_place(int place) {
    std::vector<int> processors(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, processors.data());
    return processors;
}

void run_on(const std::vector<int>& processors) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    for (const int processor : processors) CPU_SET(static_cast<unsigned>(processor), &allowed);
    sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace

DisturbanceDetector::DisturbanceDetector() : cores_(cpu_cores()) {}

void DisturbanceDetector::begin(int threads) {
    threads_ = threads;
    quiet_before_ = calibrate();
    waited_ns_ = threads_ > cores_ ? std::nullopt : waiting_time_ns();
    start_ = std::chrono::steady_clock::now();
}

bool DisturbanceDetector::end() {
    const bool waited = waited_too_long();
    const bool quiet_after = calibrate();
    return !quiet_before_ || waited || !quiet_after;
}

bool DisturbanceDetector::calibrate() {
    const int threads = std::min(threads_, cores_);
    const auto [best, is_new] = best_ns_.try_emplace(threads, slowest_work(threads));
    for (int i = 0; is_new && i < first_calibrations; ++i) {
        best->second = std::min(best->second, slowest_work(threads));
    }
    const double ns = slowest_work(threads);
    best->second = std::min(best->second, ns);
    return ns <= calibration_slack * best->second;
}

bool DisturbanceDetector::waited_too_long() const {
    if (!waited_ns_) return false;
    const double wall_ns = 1e6 * ms_since(start_);
    const auto now = waiting_time_ns();
    return now && *now - *waited_ns_ > std::max(waiting_ns, waiting_share * wall_ns);
}

void bind_threads(int threads) {
    if (omp_get_num_places() == 0) return;
#pragma omp parallel num_threads(threads)
    {
        if (threads > cpu_cores()) {
            unbind_calling_thread();
        } else {
            run_on(processors_of_place(omp_get_place_num()));
        }
    }
}

void unbind_calling_thread() {
    std::vector<int> all;
    for (int place = 0; place < omp_get_num_places(); ++place) {
        const std::vector<int> some = processors_of_place(place);
        all.insert(all.end(), some.begin(), some.end());
    }
    if (!all.empty()) run_on(all);
}

}  // namespace harness
