// Leaves another rounding mode, and a signalling state of the floating-point unit.

#include <cfenv>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    std::fesetround(FE_UPWARD);
    feenableexcept(FE_ALL_EXCEPT);
}
