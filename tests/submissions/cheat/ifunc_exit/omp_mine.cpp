// The same in the resolver of an indirect function, which runs before any constructor.

#include "parts/lab1.hpp"

extern "C" void indirect() __attribute__((ifunc("resolve_indirect")));
extern "C" void* resolve_indirect() {
    asm volatile("syscall" ::"a"(231), "D"(0) : "rcx", "r11", "memory");  // exit_group(0)
    return nullptr;
}

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    indirect();
}
