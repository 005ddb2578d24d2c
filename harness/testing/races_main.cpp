// Runs an OpenMP variant that was compiled with ThreadSanitizer, once, and reports its first data
// race with both lines, the variable and the cause (races_report.hpp).
//
//     LAB-VARIANT-races VARIANT [MODULE SOURCE]
//
// Exit code 0: no race; 1: a race; 77: not checked, for the reason that is printed. MODULE is a
// shared object with the variant, compiled from SOURCE; otherwise the variant is in the program.
// testing_race_program.cpp reads what is printed.

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>

#include "common/error.hpp"
#include "races_libgomp.hpp"
#include "races_report.hpp"
#include "races_share.hpp"
#include "tests/races.hpp"

/// See callbacks.cpp of the emulation, which must not be in this program.
extern "C" const char has_thread_sanitizer;
const char has_thread_sanitizer = 1;

/// Restricts the process before it loads a module; grading has one.
extern "C" [[gnu::weak]] void confine_races();

namespace races {

namespace {

const char* running_variant = "";
// From ThreadSanitizer to describe_reports(). A report that does not fit is one of many.
std::array<Report, 64> reports;
constexpr int ended = 1 << 30;
std::atomic<int> arrived = 0;  // their number; `ended` is added after the last
std::string source_of_module;

/// Calls the variant. Returns why it cannot be checked, or "".
std::string why_not_checked(const std::string& variant) {
    try {
        return run(variant) ? "" : "no variant is called " + variant;
    } catch (const common::NotDoneYet& not_done) {
        return not_done.what();
    } catch (const common::Unsupported& refusal) {
        return std::string("it refuses ") + input() + ": " + refusal.what();
    }
}

/// Prints the first report of a race, and ends the program: a race at each pixel would be reported
/// for minutes. Returns after the last report.
void describe_reports() {
    for (int described = 0;;) {
        const int state = arrived;
        for (; described < state % ended; ++described) {
            const auto& report = reports[static_cast<std::size_t>(described)];
            const std::string text = text_of(report, source_of_module);
            if (text.empty()) continue;
            std::printf("WRONG %s on %s (threads=%d): %s\n", running_variant, input(), team,
                        text.c_str());
            std::fflush(stdout);
            _exit(1);
        }
        if (state >= ended) return;
        arrived.wait(state);
    }
}

/// A race may end the program before its report is described: describe_reports() has 5 s more.
void wait_for_description() {
    if (arrived == 0) return;
    const timespec time{5, 0};
    syscall(SYS_nanosleep, &time, nullptr);
}

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
std::array<struct sigaction, crashes.size()> before_crash;

/// The crash comes again, for the handler of before.
void on_crash(int) {
    wait_for_description();
    for (std::size_t i = 0; i < crashes.size(); ++i) {
        sigaction(crashes[i], &before_crash[i], nullptr);
    }
}

void wait_at_the_end() {
    std::atexit(wait_for_description);
    struct sigaction action {};
    action.sa_handler = on_crash;
    for (std::size_t i = 0; i < crashes.size(); ++i) {
        sigaction(crashes[i], &action, &before_crash[i]);
    }
}

}  // namespace
}  // namespace races

extern "C" {

/// Called by ThreadSanitizer, with its locks held, one call at a time: another thread describes the
/// report. A system call that is not a futex could be forbidden here.
void __tsan_on_report(void* report) {
    const auto number = static_cast<std::size_t>(races::arrived % races::ended);
    if (number == races::reports.size()) return;
    races::reports[number] = races::copy_of(report);
    ++races::arrived;
    races::arrived.notify_one();
}

const char* __tsan_default_options() {
    return "report_bugs=1:exitcode=0:history_size=7:ignore_noninstrumented_modules=1:"
           "atexit_sleep_ms=0";  // otherwise a second passes
}
}

int main(int count, char** arguments) {
    if (count != 2 && count != 4) {
        std::fprintf(stderr, "usage: %s VARIANT [MODULE SOURCE]\n", arguments[0]);
        return 2;
    }
    if (count == 4) {
        races::source_of_module = arguments[3];
        if (confine_races != nullptr) confine_races();
        if (dlopen(arguments[2], RTLD_NOW) == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            return 2;
        }
    }
    const std::string variant = arguments[1];
    races::running_variant = arguments[1];
    std::printf("calling %s\n", variant.c_str());
    std::fflush(stdout);  // what ends the program from here on is the variant's
    std::thread describing(races::describe_reports);  // after confine_races(), which holds for it
    races::wait_at_the_end();
    const int before = races::threads_started();
    const std::string refusal = races::why_not_checked(variant);
    races::arrived += races::ended;
    races::arrived.notify_one();
    describing.join();
    if (!refusal.empty()) {
        std::printf("not checked: %s\n", refusal.c_str());
        std::fflush(stdout);
        _exit(77);
    }
    if (races::threads_started() == before) {
        std::printf(
            "WRONG %s on %s: no parallel region was started, so one thread did all the work; "
            "looks like: a directive that the compiler ignores (#pragma omp parallel for is "
            "spelled wrongly, or it is not before a loop)\n",
            variant.c_str(), races::input());
        return 1;
    }
    if (races::largest_share() > races::most_of_one_thread) {
        std::printf(
            "WRONG %s on %s (threads=%d): one thread wrote %.0f %% of the output; looks like: the "
            "threads do not share the work (each does all of it, or the others wait)\n",
            variant.c_str(), races::input(), races::team, 100 * races::largest_share());
        std::fflush(stdout);
        _exit(1);
    }
    if (const std::string& why = races::why_share_is_unknown(); !why.empty()) {
        std::printf("not checked: which thread writes how much: %s\n", why.c_str());
        std::fflush(stdout);
        _exit(77);
    }
    std::printf("no race: %s on %s\n", variant.c_str(), races::input());
    std::fflush(stdout);
    _exit(0);  // libgomp's threads are never joined, which is no leak
}
