// The functions of libgomp for tasks: see races_libgomp.cpp. A task sees what was done before it
// was created, and what the tasks did that it depends on.

#include <algorithm>
#include <cstring>

#include "races_libgomp.hpp"

namespace races {
namespace {

char depend_clock;

/// Header in front of a task's data. The thread that creates the task writes it, the thread that
/// runs the task reads it.
struct Task {
    long bounds[2];  ///< of a task of a taskloop: libgomp writes them here, the body reads them in
                     ///< data
    Body body;
    void (*copy)(void*, void*);
    void* data;
    long size;
    long alignment;
    long offset;  ///< of the data, from here
    bool of_loop;
    bool depends;
};

Task task_of(Body body, void* data, void (*copy)(void*, void*), long size, long alignment) {
    const long aligned = std::max<long>(alignment, alignof(Task));
    const long offset = (long{sizeof(Task)} + aligned - 1) / aligned * aligned;
    return {{}, body, copy, data, size, aligned, offset, false, false};
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
    __tsan_release(&task_clock);
}

/// The tasks of a loop, whose bounds are of the type `Index`.
template <class Index>
void run_loop_of_tasks(const char* name, Body body, void* data, void (*copy)(void*, void*),
                       long size, long alignment, unsigned flags, unsigned long tasks, int priority,
                       Index start, Index end, Index step) {
    Task task = task_of(body, data, copy, size, alignment);
    task.of_loop = true;
    constexpr unsigned with_reduction = 1 << 12;  // libgomp reads `data`, which cannot be replaced
    if ((flags & with_reduction) != 0) {
        call<void>(name, body, data, copy, size, alignment, flags, tasks, priority, start, end,
                   step);
    } else {
        call<void, Body, void*>(name, run_task, &task, copy_task, task.offset + size,
                                task.alignment, flags, tasks, priority, start, end, step);
    }
    __tsan_acquire(&task_clock);
}

void wait_for_tasks(const char* name) {
    call<void>(name);
    __tsan_acquire(&task_clock);
}

}  // namespace
}  // namespace races

using namespace races;

extern "C" {

void GOMP_task(Body body, void* data, void (*copy)(void*, void*), long size, long alignment,
               bool deferred, unsigned flags, void** depend, int priority, void* detach) {
    constexpr unsigned with_depend = 1 << 3;
    Task task = task_of(body, data, copy, size, alignment);
    task.depends = (flags & with_depend) != 0;
    call<void, Body, void*>("GOMP_task", run_task, &task, copy_task, task.offset + size,
                            task.alignment, deferred, flags, depend, priority, detach);
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
    wait_for_tasks("GOMP_taskwait");
}
void GOMP_taskwait_depend(void** depend) {
    call<void>("GOMP_taskwait_depend", depend);
    __tsan_acquire(&depend_clock);
}
void GOMP_taskgroup_end() {
    wait_for_tasks("GOMP_taskgroup_end");
}
}
