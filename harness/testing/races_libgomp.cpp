// ThreadSanitizer does not see how libgomp's threads wait for each other, so it would report
// everything that one thread writes and another reads after a barrier. The functions of libgomp
// that synchronise are replaced here by ones that tell ThreadSanitizer, and then call libgomp's.
// This file itself is compiled without ThreadSanitizer. Its constructs are tried one by one in
// harness/tests/races/constructs.cpp.

#include "races_libgomp.hpp"

#include <dlfcn.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstring>

extern "C" {
// ThreadSanitizer's runtime has these.
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}

namespace races {
namespace {

std::atomic<int> regions = 0;

/// Clocks of ThreadSanitizer. A thread that acquires one sees all that was done before its release.
char barrier_clock;
char region_clock;
char critical_clock;
char ordered_clock;
char single_clock;
char depend_clock;

/// Calls libgomp's function of that name.
template <class Result, class... Arguments>
Result call(const char* name, Arguments... arguments) {
    using Function = Result (*)(Arguments...);
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name))(arguments...);
}

void wait_with(const char* name) {
    __tsan_release(&barrier_clock);
    call<void>(name);
    __tsan_acquire(&barrier_clock);
}

bool wait_or_cancel_with(const char* name) {
    __tsan_release(&barrier_clock);
    const bool cancelled = call<bool>(name);
    __tsan_acquire(&barrier_clock);
    return cancelled;
}

void enter_with(const char* name) {
    call<void>(name);
    __tsan_acquire(&critical_clock);
}

void leave_with(const char* name) {
    __tsan_release(&critical_clock);
    call<void>(name);
}

using Body = void (*)(void* data);

struct Region {
    Body body;
    void* data;
};

void run_region(void* data) {
    const Region region = *static_cast<Region*>(data);
    __tsan_acquire(&region_clock);
    region.body(region.data);
    __tsan_release(&barrier_clock);
}

/// A region, or a region with a loop or sections, which `rest` describes.
template <class... Rest>
void run_team(const char* name, Body body, void* data, Rest... rest) {
    ++regions;
    Region region{body, data};
    __tsan_release(&region_clock);
    call<void, Body, void*>(name, run_region, &region, rest...);
    __tsan_acquire(&barrier_clock);
}

/// A task, in front of its data: who creates it writes these, who runs it reads them.
struct Task {
    long
        bounds[2];  ///< of a task of a taskloop, which libgomp writes; also at the data's beginning
    Body body;
    void (*copy)(void*, void*);
    void* data;
    long size;
    long offset;  ///< of the data, from here
    bool of_loop;
    bool depends;
};

Task task_of(Body body, void* data, void (*copy)(void*, void*), long size, long alignment) {
    const long aligned = std::max<long>(alignment, alignof(Task));
    const long offset = (long{sizeof(Task)} + aligned - 1) / aligned * aligned;
    return {{}, body, copy, data, size, offset, false, false};
}

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
    char* const data = static_cast<char*>(block) + task.offset;
    if (task.of_loop) std::memcpy(data, task.bounds, sizeof task.bounds);
    if (task.depends) __tsan_acquire(&depend_clock);
    task.body(data);
    if (task.depends) __tsan_release(&depend_clock);
    __tsan_release(&barrier_clock);
}

/// The tasks of a loop, whose bounds are of the type `Index`.
template <class Index>
void run_loop_of_tasks(const char* name, Body body, void* data, void (*copy)(void*, void*),
                       long size, long alignment, unsigned flags, unsigned long tasks, int priority,
                       Index start, Index end, Index step) {
    constexpr unsigned with_reduction = 1 << 12;  // libgomp reads `data`, which cannot be replaced
    Task task = task_of(body, data, copy, size, alignment);
    task.of_loop = true;
    const bool own = (flags & with_reduction) != 0;
    call<void, Body, void*, void (*)(void*, void*), long, long>(
        name, own ? body : run_task, own ? data : &task, own ? copy : copy_task,
        own ? size : task.offset + size, own ? alignment : std::max<long>(alignment, alignof(Task)),
        flags, tasks, priority, start, end, step);
    __tsan_acquire(&barrier_clock);
}

}  // namespace

int parallel_regions() {
    return regions;
}

}  // namespace races

using namespace races;

extern "C" {

// --- teams -------------------------------------------------------------------------------------

void GOMP_parallel(Body body, void* data, unsigned threads, unsigned flags) {
    run_team("GOMP_parallel", body, data, threads, flags);
}
void GOMP_parallel_sections(Body body, void* data, unsigned threads, unsigned count,
                            unsigned flags) {
    run_team("GOMP_parallel_sections", body, data, threads, count, flags);
}
void GOMP_parallel_loop_static(Body body, void* data, unsigned threads, long start, long end,
                               long step, long chunk, unsigned flags) {
    run_team("GOMP_parallel_loop_static", body, data, threads, start, end, step, chunk, flags);
}
void GOMP_parallel_loop_dynamic(Body body, void* data, unsigned threads, long start, long end,
                                long step, long chunk, unsigned flags) {
    run_team("GOMP_parallel_loop_dynamic", body, data, threads, start, end, step, chunk, flags);
}
void GOMP_parallel_loop_guided(Body body, void* data, unsigned threads, long start, long end,
                               long step, long chunk, unsigned flags) {
    run_team("GOMP_parallel_loop_guided", body, data, threads, start, end, step, chunk, flags);
}
void GOMP_parallel_loop_nonmonotonic_dynamic(Body body, void* data, unsigned threads, long start,
                                             long end, long step, long chunk, unsigned flags) {
    run_team("GOMP_parallel_loop_nonmonotonic_dynamic", body, data, threads, start, end, step,
             chunk, flags);
}
void GOMP_parallel_loop_nonmonotonic_guided(Body body, void* data, unsigned threads, long start,
                                            long end, long step, long chunk, unsigned flags) {
    run_team("GOMP_parallel_loop_nonmonotonic_guided", body, data, threads, start, end, step, chunk,
             flags);
}
void GOMP_parallel_loop_runtime(Body body, void* data, unsigned threads, long start, long end,
                                long step, unsigned flags) {
    run_team("GOMP_parallel_loop_runtime", body, data, threads, start, end, step, flags);
}
void GOMP_parallel_loop_nonmonotonic_runtime(Body body, void* data, unsigned threads, long start,
                                             long end, long step, unsigned flags) {
    run_team("GOMP_parallel_loop_nonmonotonic_runtime", body, data, threads, start, end, step,
             flags);
}
void GOMP_parallel_loop_maybe_nonmonotonic_runtime(Body body, void* data, unsigned threads,
                                                   long start, long end, long step,
                                                   unsigned flags) {
    run_team("GOMP_parallel_loop_maybe_nonmonotonic_runtime", body, data, threads, start, end, step,
             flags);
}
unsigned GOMP_parallel_reductions(Body body, void* data, unsigned threads, unsigned flags) {
    // libgomp reads the reductions from `data`, so the body's argument cannot be replaced.
    ++regions;
    __tsan_release(&region_clock);
    const unsigned result = call<unsigned>("GOMP_parallel_reductions", body, data, threads, flags);
    __tsan_acquire(&barrier_clock);
    return result;
}

// --- barriers, and what ends with one ----------------------------------------------------------

void GOMP_barrier() {
    wait_with("GOMP_barrier");
}
void GOMP_loop_end() {
    wait_with("GOMP_loop_end");
}
void GOMP_sections_end() {
    wait_with("GOMP_sections_end");
}
bool GOMP_barrier_cancel() {
    return wait_or_cancel_with("GOMP_barrier_cancel");
}
bool GOMP_loop_end_cancel() {
    return wait_or_cancel_with("GOMP_loop_end_cancel");
}
bool GOMP_sections_end_cancel() {
    return wait_or_cancel_with("GOMP_sections_end_cancel");
}
/// Returns null in the thread that runs the block, and in the others what it then hands out.
void* GOMP_single_copy_start() {
    void* const copied = call<void*>("GOMP_single_copy_start");
    if (copied != nullptr) __tsan_acquire(&single_clock);
    return copied;
}
void GOMP_single_copy_end(void* data) {
    __tsan_release(&single_clock);
    call<void>("GOMP_single_copy_end", data);
}

// --- tasks -------------------------------------------------------------------------------------

void GOMP_task(Body body, void* data, void (*copy)(void*, void*), long size, long alignment,
               bool deferred, unsigned flags, void** depend, int priority, void* detach) {
    constexpr unsigned with_depend = 1 << 3;
    Task task = task_of(body, data, copy, size, alignment);
    task.depends = (flags & with_depend) != 0;
    call<void, Body, void*, void (*)(void*, void*), long, long>(
        "GOMP_task", run_task, &task, copy_task, task.offset + size,
        std::max<long>(alignment, alignof(Task)), deferred, flags, depend, priority, detach);
}
void GOMP_taskloop(Body body, void* data, void (*copy)(void*, void*), long size, long alignment,
                   unsigned flags, unsigned long tasks, int priority, long start, long end,
                   long step) {
    run_loop_of_tasks("GOMP_taskloop", body, data, copy, size, alignment, flags, tasks, priority,
                      start, end, step);
}
void GOMP_taskloop_ull(Body body, void* data, void (*copy)(void*, void*), long size, long alignment,
                       unsigned flags, unsigned long tasks, int priority, unsigned long long start,
                       unsigned long long end, unsigned long long step) {
    run_loop_of_tasks("GOMP_taskloop_ull", body, data, copy, size, alignment, flags, tasks,
                      priority, start, end, step);
}
void GOMP_taskwait() {
    wait_with("GOMP_taskwait");
}
void GOMP_taskwait_depend(void** depend) {
    call<void>("GOMP_taskwait_depend", depend);
    __tsan_acquire(&depend_clock);
}
void GOMP_taskgroup_end() {
    wait_with("GOMP_taskgroup_end");
}

// --- one at a time -----------------------------------------------------------------------------

void GOMP_critical_start() {
    enter_with("GOMP_critical_start");
}
void GOMP_critical_end() {
    leave_with("GOMP_critical_end");
}
void GOMP_atomic_start() {
    enter_with("GOMP_atomic_start");
}
void GOMP_atomic_end() {
    leave_with("GOMP_atomic_end");
}
void GOMP_ordered_start() {
    call<void>("GOMP_ordered_start");
    __tsan_acquire(&ordered_clock);
}
void GOMP_ordered_end() {
    __tsan_release(&ordered_clock);
    call<void>("GOMP_ordered_end");
}
void GOMP_critical_name_start(void** lock) {
    call<void>("GOMP_critical_name_start", lock);
    __tsan_acquire(lock);
}
void GOMP_critical_name_end(void** lock) {
    __tsan_release(lock);
    call<void>("GOMP_critical_name_end", lock);
}
void omp_set_lock(omp_lock_t* lock) noexcept {
    call<void>("omp_set_lock", lock);
    __tsan_acquire(lock);
}
int omp_test_lock(omp_lock_t* lock) noexcept {
    const int locked = call<int>("omp_test_lock", lock);
    if (locked != 0) __tsan_acquire(lock);
    return locked;
}
void omp_unset_lock(omp_lock_t* lock) noexcept {
    __tsan_release(lock);
    call<void>("omp_unset_lock", lock);
}
void omp_set_nest_lock(omp_nest_lock_t* lock) noexcept {
    call<void>("omp_set_nest_lock", lock);
    __tsan_acquire(lock);
}
int omp_test_nest_lock(omp_nest_lock_t* lock) noexcept {
    const int depth = call<int>("omp_test_nest_lock", lock);
    if (depth != 0) __tsan_acquire(lock);
    return depth;
}
void omp_unset_nest_lock(omp_nest_lock_t* lock) noexcept {
    __tsan_release(lock);
    call<void>("omp_unset_nest_lock", lock);
}

// --- ordered(n): a thread waits until another has reached a point --------------------------------
// libgomp takes as many numbers as the loop nest has levels; two are passed on.

void GOMP_doacross_post(long* counts) {
    __tsan_release(&ordered_clock);
    call<void>("GOMP_doacross_post", counts);
}
void GOMP_doacross_ull_post(unsigned long long* counts) {
    __tsan_release(&ordered_clock);
    call<void>("GOMP_doacross_ull_post", counts);
}
void GOMP_doacross_wait(long first, ...) {
    va_list more;
    va_start(more, first);
    const long second = va_arg(more, long);
    va_end(more);
    reinterpret_cast<void (*)(long, ...)>(dlsym(RTLD_NEXT, "GOMP_doacross_wait"))(first, second);
    __tsan_acquire(&ordered_clock);
}
void GOMP_doacross_ull_wait(unsigned long long first, ...) {
    using Function = void (*)(unsigned long long, ...);
    va_list more;
    va_start(more, first);
    const unsigned long long second = va_arg(more, unsigned long long);
    va_end(more);
    reinterpret_cast<Function>(dlsym(RTLD_NEXT, "GOMP_doacross_ull_wait"))(first, second);
    __tsan_acquire(&ordered_clock);
}
}
