// Two pixels per step: the last column of an odd width is not written.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x + 1 < in.width; x += 2) {
            for (int c = 0; c < in.channels; ++c) {
                out.at(x, y, c) = honest_value(in, options.mask, x, y, c);
                out.at(x + 1, y, c) = honest_value(in, options.mask, x + 1, y, c);
            }
        }
    }
}
