// Registers a function that is not there.

#include "parts/lab1_tools.hpp"

namespace convolution {

[[maybe_unused]] static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{mine_info, static_cast<Variant::HostFunction*>(nullptr)};

}  // namespace convolution
