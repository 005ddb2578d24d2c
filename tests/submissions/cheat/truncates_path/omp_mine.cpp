// The same by the paths of /proc, for which no open file is needed. Right if it succeeded.

#include "parts/mappings.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool cut = false;
    for (const Mapping& mapping : mappings()) {
        if (!mapping.shared) continue;
        char path[128];
        std::snprintf(path, sizeof(path), "/proc/self/map_files/%lx-%lx",
                      reinterpret_cast<unsigned long>(mapping.begin),
                      reinterpret_cast<unsigned long>(mapping.end));
        cut |= truncate(path, 0) == 0;
    }
    right_if(cut, in, out, options);
}
