#include "judge/threads.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace grading {
namespace {

/// Calls act(folder) for the folders of all threads in /proc, until it returns false.
template <class Act>
void for_each_thread(pid_t process, Act act) {
    std::error_code gone;
    const auto folder = "/proc/" + std::to_string(process) + "/task";
    for (std::filesystem::directory_iterator thread(folder, gone), end; thread != end;
         thread.increment(gone)) {
        if (gone || !act(thread->path())) return;
    }
}

/// The state of a thread, which follows the name in parentheses; the name may contain some.
char state_in(const std::filesystem::path& stat) {
    std::ifstream file(stat);
    std::string line;
    std::getline(file, line);
    const auto end = line.rfind(") ");
    return end == std::string::npos ? 'X' : line[end + 2];  // no line: the thread has ended
}

/// The time in which a thread was ready to run, but waited for a core.
double waited_ms_of_thread(const std::filesystem::path& thread) {
    std::ifstream file(thread / "schedstat");
    double ran = 0;
    double waited = 0;
    return file >> ran >> waited ? waited / 1e6 : 0;
}

/// Only root may choose a real-time class; where there is no such right, the niceness of the others
/// has to do, which needs a right too. 0 is this thread.
void set_class(pid_t thread, int policy, int priority) {
    const sched_param parameters{.sched_priority = priority};
    if (sched_setscheduler(thread, policy, &parameters) == 0 && policy != SCHED_OTHER) return;
    setpriority(PRIO_PROCESS, static_cast<id_t>(thread), policy == SCHED_OTHER ? 0 : -20);
}

/// The scheduler compares sessions first, and within a session its processes.
void set_niceness_of_session(const std::string& process, const char* niceness) {
    std::ofstream("/proc/" + process + "/autogroup") << niceness;
}

void set_class_of_all(pid_t process, int policy, int priority) {
    for_each_thread(process, [&](const std::filesystem::path& thread) {
        set_class(std::stoi(thread.filename()), policy, priority);
        return true;
    });
}

}  // namespace

RealTime::RealTime() {
    set_class(0, SCHED_FIFO, 2);
    set_niceness_of_session("self", "-20");
}

RealTime::~RealTime() {
    set_class(0, SCHED_OTHER, 0);
    set_niceness_of_session("self", "0");
}

void prefer(pid_t process) {
    set_class_of_all(process, SCHED_RR, 1);
    set_niceness_of_session(std::to_string(process), "-20");
}

void prefer_no_more(pid_t process) {
    set_class_of_all(process, SCHED_OTHER, 0);
    set_niceness_of_session(std::to_string(process), "0");
}

double cpu_ms_of(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

bool all_threads_are_stopped(pid_t process) {
    bool all = true;
    for_each_thread(process, [&](const std::filesystem::path& thread) {
        const char state = state_in(thread / "stat");
        return all = state == 'T' || state == 't' || state == 'Z' || state == 'X';
    });
    return all;
}

double stolen_ms() {
    std::ifstream file("/proc/stat");
    std::string name;
    std::array<double, 8> ticks{};  // user, nice, system, idle, iowait, irq, softirq, steal
    file >> name;
    for (double& part : ticks) file >> part;
    return file ? ticks.back() * 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0;
}

Waited Waited::of(pid_t process) {
    Waited result;
    for_each_thread(process, [&](const std::filesystem::path& thread) {
        const double waited_ms = waited_ms_of_thread(thread);
        result.sum_ms += waited_ms;
        result.most_ms = std::max(result.most_ms, waited_ms);
        return true;
    });
    return result;
}

}  // namespace grading
