#include "disturbance.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "clock.hpp"
#include "common/machine.hpp"

namespace common {
namespace {

constexpr int chain_length = 20'000;       // about 20 us at 4 GHz
constexpr int first_calibrations = 50;     // to know how long an undisturbed one takes
constexpr double calibration_slack = 1.4;  // times the shortest; the clock rate alone varies less
constexpr double waiting_share = 0.05;     // of the wall-clock time
constexpr double waiting_ns = 20'000;      // a wake-up costs some microseconds in any case
constexpr std::size_t most_tasks = 256;    // reading one file each must stay short

/// Nanoseconds of a chain of dependent instructions that needs no memory.
double time_of_chain() {
    const auto start = std::chrono::steady_clock::now();
    volatile std::uint64_t seed = 1;  // a constant chain would be computed by the compiler
    std::uint64_t x = seed;
    for (int i = 0; i < chain_length; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
    seed = x;
    return 1e6 * ms_since(start);
}

/// The slowest of `threads` threads of OpenMP, which are those that a variant will run on.
double slowest_chain(int threads) {
    if (threads == 1) return time_of_chain();
    double slowest = 0;
#pragma omp parallel num_threads(threads) reduction(max : slowest)
    slowest = time_of_chain();
    return slowest;
}

/// How long the threads of this process have waited for a core so far.
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

}  // namespace

DisturbanceDetector::DisturbanceDetector() : cores_(cpu_cores()) {}

void DisturbanceDetector::begin(int threads) {
    threads_ = threads;
    begun_in_peace_ = calibrate();
    waited_ns_ = threads_ > cores_ ? std::nullopt : waiting_time_ns();
    start_ = std::chrono::steady_clock::now();
}

bool DisturbanceDetector::end() {
    const bool waited = waited_too_long();
    const bool ended_in_peace = calibrate();
    return !begun_in_peace_ || waited || !ended_in_peace;
}

bool DisturbanceDetector::calibrate() {
    const int threads = std::min(threads_, cores_);
    const auto [best, is_new] = best_ns_.try_emplace(threads, slowest_chain(threads));
    for (int i = 0; is_new && i < first_calibrations; ++i) {
        best->second = std::min(best->second, slowest_chain(threads));
    }
    const double ns = slowest_chain(threads);
    best->second = std::min(best->second, ns);
    return ns <= calibration_slack * best->second;
}

bool DisturbanceDetector::waited_too_long() const {
    if (!waited_ns_) return false;
    const double wall_ns = 1e6 * ms_since(start_);
    const auto now = waiting_time_ns();
    return now && *now - *waited_ns_ > std::max(waiting_ns, waiting_share * wall_ns);
}

void bind_calling_thread(bool bound) {
    const int places = omp_get_num_places();
    if (places == 0) return;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    for (int place = 0; place < (bound ? 1 : places); ++place) {
        for (const int processor : processors_of_place(place)) {
            CPU_SET(static_cast<unsigned>(processor), &allowed);
        }
    }
    sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace common
