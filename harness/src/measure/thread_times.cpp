#include "harness/thread_times.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "common/clock.hpp"

namespace harness {
namespace {

constexpr double enough_ms = 50;
constexpr int most_calls = 20;

/// The clock of a thread of this process, as the kernel encodes it: CPUCLOCK_PERTHREAD_MASK (4) and
/// CPUCLOCK_SCHED (2). Unlike /proc/self/task/ID/schedstat, it counts the current time slice of a
/// thread that runs.
clockid_t cpu_clock(pid_t thread) {
    return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3U) | 6U);
}

/// The CPU time of each thread so far, in ms.
std::map<pid_t, double> cpu_times() {
    std::map<pid_t, double> times;
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
        const std::string name = task.path().filename();
        pid_t thread = 0;
        std::from_chars(name.data(), name.data() + name.size(), thread);
        timespec time{};
        if (clock_gettime(cpu_clock(thread), &time) != 0) continue;
        times[thread] =
            1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    }
    return times;
}

}  // namespace

ThreadTimes thread_times(const std::function<void()>& call, int threads) {
    const auto before = cpu_times();
    const auto start = std::chrono::steady_clock::now();
    int calls = 0;
    do {
        call();
    } while (++calls < most_calls && common::ms_since(start) < enough_ms);
    const double wall = common::ms_since(start);

    const auto own = gettid();
    double calling = 0;
    std::vector<double> others;
    for (const auto& [thread, ms] : cpu_times()) {
        const auto earlier = before.find(thread);
        const double worked = ms - (earlier == before.end() ? 0 : earlier->second);
        (thread == own ? calling : others.emplace_back()) = worked;
    }
    std::ranges::sort(others, std::greater{});  // the team, then threads that did nothing
    others.resize(static_cast<std::size_t>(threads - 1));
    const double of_others = std::reduce(others.begin(), others.end());
    const double mean = (calling + of_others) / threads;
    const double busiest = std::max(calling, others.empty() ? 0 : others.front());
    const double serial = others.empty() ? calling : calling - of_others / (threads - 1);
    return {.idle_percent = std::max(0.0, 100 * (1 - mean / wall)),
            .imbalance = mean > 0 ? busiest / mean : 1,
            .serial_ms = std::max(0.0, serial) / calls};
}

}  // namespace harness
