// Task A. The loops of seq, with the rows divided among the threads of an OpenMP team.
//
// Given: ladder/01_seq.cpp. Wanted: one directive. The handout has the goal and hints.
//
// Predicted: …
// Measured: …

#include <algorithm>

#include "common/error.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_rows([[maybe_unused]] ImageView<const std::uint8_t> in,
              [[maybe_unused]] ImageView<std::uint8_t> out,
              [[maybe_unused]] const Options& options) {
    throw common::NotDoneYet();
}

static const Register registered{{.name = "omp_rows",
                                  .backend = common::Backend::omp,
                                  .idea = "the loops of seq, rows divided among the threads"},
                                 omp_rows};

}  // namespace convolution
