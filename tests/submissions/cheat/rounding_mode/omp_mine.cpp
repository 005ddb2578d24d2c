// Leaves another rounding mode, and a signalling state of the floating-point unit.

#include <cfenv>

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    std::fesetround(FE_UPWARD);
    feenableexcept(FE_ALL_EXCEPT);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
