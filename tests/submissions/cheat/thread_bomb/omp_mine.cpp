// Threads without end.

#include <unistd.h>
#include <thread>

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    for (;;) std::thread([] { pause(); }).detach();
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
