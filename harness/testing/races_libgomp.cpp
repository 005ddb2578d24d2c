// ThreadSanitizer does not see how libgomp's threads wait for each other, so it would report
// everything that one thread writes and another reads after a barrier. The functions of libgomp
// that synchronise are replaced here by ones that tell ThreadSanitizer, and then call libgomp's.
// Those for tasks are in races_tasks.cpp. These files are compiled without ThreadSanitizer.
// harness/tests/races/constructs.cpp tries the constructs one by one.

#include "races_libgomp.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

#include <atomic>
#include <cstdarg>
#include <utility>

namespace races {
namespace {

std::atomic<int> threads = 0;
std::atomic<int> other_teams = 0;  // regions in which threads do not call run_region

char region_clock;
char end_clock;  // of a region
char critical_clock;
char ordered_clock;
char single_clock;

/// A thread may arrive at the next barrier before another one has left this one, and what it did in
/// between is not ordered for the other. So barriers have two clocks in turn.
char barrier_clocks[2];
thread_local unsigned barriers = 0;  // of the team, that this thread has reached

/// From arriving at a barrier of the team until leaving it.
class Barrier {
  public:
    Barrier() { __tsan_release(clock_); }
    ~Barrier() {
        __tsan_acquire(clock_);
        __tsan_acquire(&task_clock);
    }
    Barrier(const Barrier&) = delete;
    Barrier& operator=(const Barrier&) = delete;

  private:
    char* clock_ = &barrier_clocks[other_teams > 0 ? 0 : barriers++ % 2];
};

void wait_with(const char* name) {
    const Barrier barrier;
    call<void>(name);
}

bool wait_or_cancel_with(const char* name) {
    const Barrier barrier;
    return call<bool>(name);
}

void enter_with(const char* name) {
    call<void>(name);
    __tsan_acquire(&critical_clock);
}

void leave_with(const char* name) {
    __tsan_release(&critical_clock);
    call<void>(name);
}

struct Region {
    Body body;
    void* data;
};

void run_region(void* data) {
    const Region region = *static_cast<Region*>(data);
    const unsigned outer = std::exchange(barriers, 0);
    __tsan_acquire(&region_clock);
    region.body(region.data);
    __tsan_release(&end_clock);
    barriers = outer;
}

/// A region, or a region with a loop or sections, which `rest` describes.
template <class... Rest>
void run_team(const char* name, Body body, void* data, Rest... rest) {
    Region region{body, data};
    __tsan_release(&region_clock);
    call<void, Body, void*>(name, run_region, &region, rest...);
    __tsan_acquire(&end_clock);
    __tsan_acquire(&task_clock);
}

}  // namespace

char task_clock;

int threads_started() {
    return threads;
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
    __tsan_release(&region_clock);
    ++other_teams;
    const unsigned result = call<unsigned>("GOMP_parallel_reductions", body, data, threads, flags);
    --other_teams;
    __tsan_acquire(&barrier_clocks[0]);
    __tsan_acquire(&task_clock);
    return result;
}

/// Of libgomp, and of std::thread.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) noexcept {
    ++threads;
    return call<int>("pthread_create", thread, attributes, body, argument);
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
/// Returns null in the thread that executes the block, and in the other threads the data that it
/// publishes.
void* GOMP_single_copy_start() {
    void* const copied = call<void*>("GOMP_single_copy_start");
    if (copied != nullptr) __tsan_acquire(&single_clock);
    return copied;
}
void GOMP_single_copy_end(void* data) {
    __tsan_release(&single_clock);
    call<void>("GOMP_single_copy_end", data);
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
