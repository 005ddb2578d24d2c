// Odd but right: function versions by ifunc (target_clones), and a constructor with a side effect.

#include "parts/lab1.hpp"

static int calls_before_main = 0;
__attribute__((constructor)) static void at_start() {
    ++calls_before_main;
}

__attribute__((target_clones("avx2", "default"))) static void one_row(Input in, Output out,
                                                                      const Mask& mask, int y) {
    honest_rows(in, out, mask, y, y + 1);
}

static void omp_mine(Input in, Output out, const Options& options) {
    if (calls_before_main != 1) throw std::logic_error("the constructor did not run");
#pragma omp parallel for schedule(guided) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) one_row(in, out, options.mask, y);
}
