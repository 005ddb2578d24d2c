// System calls by their 32-bit numbers, which a filter for 64 bits may not know. Right if it
// succeeded.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    int process = 0;
    asm volatile("int $0x80" : "=a"(process) : "a"(2) : "memory");  // fork
    if (process == 0) {
        asm volatile("int $0x80" ::"a"(1), "b"(0) : "memory");  // exit
    }
    right_if(process > 0, in, out, options);
}
