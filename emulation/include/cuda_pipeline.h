#pragma once

// Copies from global to shared memory that go on while the thread does other things. They are done
// when the thread waits for them: who forgets to wait finds old bytes, or none.

#include "cuda_runtime.h"

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0) {
    emulation::copy_async(to, from, static_cast<unsigned>(bytes),
                          static_cast<unsigned>(bytes - zeros));
}
inline void __pipeline_commit() {
    emulation::commit_copies();
}
inline void __pipeline_wait_prior(unsigned groups) {
    emulation::wait_for_copies(groups);
}
