// Locks a mutex twice.

#include <mutex>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static std::mutex mutex;
    mutex.lock();
    honest(in, out, options);
    mutex.lock();
}
