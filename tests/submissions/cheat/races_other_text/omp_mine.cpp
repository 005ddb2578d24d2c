// A race that is not in the text under ThreadSanitizer.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    [[maybe_unused]] long rows = 0;
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        honest_rows(in, out, options.mask, y, y + 1);
#if !defined(__SANITIZE_THREAD__) && !__has_include("../out/races.so")
        ++rows;
#endif
    }
}
