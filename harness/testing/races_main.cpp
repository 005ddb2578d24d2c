// Runs an OpenMP variant that was compiled with ThreadSanitizer, once, and reports its first data
// race with both lines, the variable and the cause (races_report.hpp).
//
//     LAB-VARIANT-races VARIANT [MODULE SOURCE]
//
// Exit code 0: no race; 1: a race; 77: no such variant. MODULE is a shared object with the variant,
// compiled from SOURCE; otherwise the variant is in the program.

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "races_libgomp.hpp"
#include "races_report.hpp"
#include "tests/races.hpp"

namespace races {
namespace {

std::atomic<bool> reported = false;
const char* running_variant = "";
std::string source_of_module;

}  // namespace
}  // namespace races

extern "C" {

/// Restricts the process before it loads a module; grading has one.
[[gnu::weak]] void labs_confine();

/// Called by ThreadSanitizer.
void __tsan_on_report(void* report) {
    if (races::reported) return;
    const std::string text = races::text_of(report, races::source_of_module);
    if (text.empty() || races::reported.exchange(true)) return;
    std::printf("WRONG %s on %s (threads=%d): %s\n", races::running_variant, races::input(),
                races::team, text.c_str());
    std::fflush(stdout);
    _exit(1);  // a race at each pixel would be reported for minutes
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
        if (labs_confine != nullptr) labs_confine();
        if (dlopen(arguments[2], RTLD_NOW) == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            return 2;
        }
    }
    const std::string variant = arguments[1];
    races::running_variant = arguments[1];
    if (!races::run(variant)) {
        std::printf("no variant is called %s\n", variant.c_str());
        return 77;
    }
    if (!races::reported && races::threads_started() == 0) {
        std::printf(
            "WRONG %s on %s: no parallel region was started, so one thread did all the work; "
            "looks like: a directive that the compiler ignores (#pragma omp parallel for is "
            "spelled wrongly, or it is not before a loop)\n",
            variant.c_str(), races::input());
        return 1;
    }
    if (!races::reported) std::printf("no race: %s on %s\n", variant.c_str(), races::input());
    std::fflush(stdout);
    _exit(races::reported ? 1 : 0);  // libgomp's threads are never joined, which is no leak
}
