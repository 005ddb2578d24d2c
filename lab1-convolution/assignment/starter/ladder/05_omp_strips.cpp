// Task D. One tap of the mask at a time, for many neighbouring bytes: a loop that the compiler
// vectorises.
//
// Given: ladder/01_seq.cpp and your omp_rows. Wanted: another order of the loops, and sums that
// stay in the L1 cache. The handout has the goal and hints.
//
// Predicted: …
// Measured: …

#include <algorithm>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_strips([[maybe_unused]] ImageView<const std::uint8_t> in,
                [[maybe_unused]] ImageView<std::uint8_t> out,
                [[maybe_unused]] const Options& options) {
    throw common::NotDoneYet();
}

static const Register registered{{.name = "omp_strips",
                                  .backend = common::Backend::omp,
                                  .idea = "one tap at a time for many bytes: vectorises"},
                                 omp_strips};

}  // namespace convolution
