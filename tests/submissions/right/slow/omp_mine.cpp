// Slow: sleeps in every call.

#include <chrono>
#include <thread>

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
