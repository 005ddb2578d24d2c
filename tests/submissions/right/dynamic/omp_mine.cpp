// Odd but right: nested teams, a dynamic schedule, columns outside.

#include <omp.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic, 8) num_threads(options.threads)
    for (int x = 0; x < in.width; ++x) {
#pragma omp parallel for num_threads(2) if (in.height > 512)
        for (int y = 0; y < in.height; ++y) {
            for (int c = 0; c < in.channels; ++c) {
                out.at(x, y, c) = honest_value(in, options.mask, x, y, c);
            }
        }
    }
}
