#pragma once

// What the functions that replace libgomp's have in common.

#include <dlfcn.h>

extern "C" {
// ThreadSanitizer's runtime has these. A thread that acquires an address sees all that was done
// before its release.
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}

#pragma GCC visibility push(hidden)  // from modules of students

namespace races {

using Body = void (*)(void* data);

/// Released at the end of each task, and acquired where a thread waits for tasks.
extern char task_clock;

/// Calls libgomp's function of that name.
template <class Result, class... Arguments>
Result call(const char* name, Arguments... arguments) {
    using Function = Result (*)(Arguments...);
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name))(arguments...);
}

/// The number of threads that were started so far. A parallel region with a team of one starts
/// none.
int threads_started();

}  // namespace races

#pragma GCC visibility pop
