// The loops of seq, rows divided among the threads. Twin of the cheats of lab 1.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
