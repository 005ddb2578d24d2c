// Runs an OpenMP variant that was compiled with ThreadSanitizer, once, and reports its first data
// race with both lines, the variable and the cause (races_report.hpp).
//
//     LAB-VARIANT-races VARIANT [MODULE SOURCE]
//
// Exit code 0: no race; 1: a race; 77: no such variant. MODULE is a shared object with the variant,
// compiled from SOURCE; otherwise the variant is in the program.
//
// ThreadSanitizer does not see how libgomp's threads wait for each other, so it would report
// everything that one thread writes and another reads after a barrier. The functions of libgomp
// that synchronise are replaced here by ones that tell ThreadSanitizer, and then call libgomp's.
// This file itself is compiled without ThreadSanitizer.

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

#include "races_report.hpp"
#include "tests/races.hpp"

extern "C" {
// ThreadSanitizer's runtime has these.
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}

namespace races {
namespace {

std::atomic<int> parallel_regions = 0;
std::atomic<bool> reported = false;
const char* running_variant = "";
std::string source_of_module;

/// libgomp's function of that name.
template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Clocks of ThreadSanitizer. A thread that acquires one sees all that was done before its release.
char barrier_clock;
char region_clock;
char critical_clock;
char ordered_clock;

void wait_with(void (*real)()) {
    __tsan_release(&barrier_clock);
    real();
    __tsan_acquire(&barrier_clock);
}

void enter_with(void (*real)()) {
    real();
    __tsan_acquire(&critical_clock);
}

void leave_with(void (*real)()) {
    __tsan_release(&critical_clock);
    real();
}

struct Region {
    void (*body)(void*);
    void* data;
};

void run_region(void* data) {
    const Region region = *static_cast<Region*>(data);
    __tsan_acquire(&region_clock);
    region.body(region.data);
    __tsan_release(&barrier_clock);
}

/// A task, in front of its data: who creates it writes these, who runs it reads them.
struct Task {
    void (*body)(void*);
    void (*copy)(void*, void*);
    void* data;
    long size;
    long offset;  ///< of the data, from here
};

void copy_task(void* to, void* from) {
    const Task task = *static_cast<Task*>(from);
    std::memcpy(to, &task, sizeof task);
    char* const data = static_cast<char*>(to) + task.offset;
    if (task.copy != nullptr) {
        task.copy(data, task.data);
    } else {
        std::memcpy(data, task.data, static_cast<std::size_t>(task.size));
    }
    __tsan_release(to);
}

void run_task(void* block) {
    __tsan_acquire(block);
    const Task task = *static_cast<Task*>(block);
    task.body(static_cast<char*>(block) + task.offset);
    __tsan_release(&barrier_clock);
}

}  // namespace
}  // namespace races

extern "C" {

/// Called by ThreadSanitizer.
void __tsan_on_report(void* report) {
    if (races::reported.exchange(true)) return;
    const std::string text = races::text_of(report, races::source_of_module);
    if (!text.empty()) {
        std::printf("WRONG %s on %s (threads=%d): %s\n", races::running_variant, races::input(),
                    races::team, text.c_str());
        std::fflush(stdout);
    }
    _exit(1);  // a race at each pixel would be reported for minutes
}

const char* __tsan_default_options() {
    return "report_bugs=1:exitcode=0:history_size=7:ignore_noninstrumented_modules=1";
}

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
    static auto* const real =
        races::real<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel");
    ++races::parallel_regions;
    races::Region region{body, data};
    __tsan_release(&races::region_clock);
    real(races::run_region, &region, threads, flags);
    __tsan_acquire(&races::barrier_clock);
}

unsigned GOMP_parallel_reductions(void (*body)(void*), void* data, unsigned threads,
                                  unsigned flags) {
    // libgomp reads the reductions from `data`, so the body's argument cannot be replaced.
    static auto* const real = races::real<unsigned(void (*)(void*), void*, unsigned, unsigned)>(
        "GOMP_parallel_reductions");
    ++races::parallel_regions;
    __tsan_release(&races::region_clock);
    const unsigned result = real(body, data, threads, flags);
    __tsan_acquire(&races::barrier_clock);
    return result;
}

void GOMP_barrier() {
    static auto* const real = races::real<void()>("GOMP_barrier");
    races::wait_with(real);
}
void GOMP_loop_end() {
    static auto* const real = races::real<void()>("GOMP_loop_end");
    races::wait_with(real);
}
void GOMP_sections_end() {
    static auto* const real = races::real<void()>("GOMP_sections_end");
    races::wait_with(real);
}
void GOMP_task(void (*body)(void*), void* data, void (*copy)(void*, void*), long size,
               long alignment, bool deferred, unsigned flags, void** depend, int priority,
               void* detach) {
    static auto* const real =
        races::real<void(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned,
                         void**, int, void*)>("GOMP_task");
    const long aligned = std::max<long>(alignment, alignof(races::Task));
    const long offset = (long{sizeof(races::Task)} + aligned - 1) / aligned * aligned;
    races::Task task{body, copy, data, size, offset};
    real(races::run_task, &task, races::copy_task, offset + size, aligned, deferred, flags, depend,
         priority, detach);
}
void GOMP_taskwait() {
    static auto* const real = races::real<void()>("GOMP_taskwait");
    races::wait_with(real);
}
void GOMP_critical_start() {
    static auto* const real = races::real<void()>("GOMP_critical_start");
    races::enter_with(real);
}
void GOMP_critical_end() {
    static auto* const real = races::real<void()>("GOMP_critical_end");
    races::leave_with(real);
}
void GOMP_atomic_start() {
    static auto* const real = races::real<void()>("GOMP_atomic_start");
    races::enter_with(real);
}
void GOMP_atomic_end() {
    static auto* const real = races::real<void()>("GOMP_atomic_end");
    races::leave_with(real);
}
void GOMP_ordered_start() {
    static auto* const real = races::real<void()>("GOMP_ordered_start");
    races::enter_with(real);
}
void GOMP_ordered_end() {
    static auto* const real = races::real<void()>("GOMP_ordered_end");
    races::leave_with(real);
}
void GOMP_critical_name_start(void** lock) {
    static auto* const real = races::real<void(void**)>("GOMP_critical_name_start");
    real(lock);
    __tsan_acquire(lock);
}
void GOMP_critical_name_end(void** lock) {
    static auto* const real = races::real<void(void**)>("GOMP_critical_name_end");
    __tsan_release(lock);
    real(lock);
}
/// The end of a point of an ordered(n) loop: what this thread did is seen by those that wait for
/// it.
void GOMP_doacross_post(long* counts) {
    static auto* const real = races::real<void(long*)>("GOMP_doacross_post");
    __tsan_release(&races::ordered_clock);
    real(counts);
}
void GOMP_doacross_wait(long first, ...) {
    // libgomp takes as many numbers as the loop nest has levels; two are passed on.
    static auto* const real = races::real<void(long, ...)>("GOMP_doacross_wait");
    va_list more;
    va_start(more, first);
    const long second = va_arg(more, long);
    va_end(more);
    real(first, second);
    __tsan_acquire(&races::ordered_clock);
}
}

int main(int count, char** arguments) {
    if (count != 2 && count != 4) {
        std::fprintf(stderr, "usage: %s VARIANT [MODULE SOURCE]\n", arguments[0]);
        return 2;
    }
    if (count == 4) {
        races::source_of_module = arguments[3];
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
    if (!races::reported && races::parallel_regions == 0) {
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
