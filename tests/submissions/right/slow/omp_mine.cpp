// Slow: sleeps in every call.

#include <chrono>
#include <thread>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    honest(in, out, options);
}
