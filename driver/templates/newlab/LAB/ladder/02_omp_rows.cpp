// The loops of seq, with the rows divided among the threads of an OpenMP team.
//
// Bound by the memory, as soon as a few cores work.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace @{space}@ {

using common::ImageView;

void omp_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out)
    for (int y = 0; y < in.height; ++y) {
        for (std::ptrdiff_t i = 0; i < in.row_length(); ++i) {
            out.row(y)[i] = static_cast<std::uint8_t>(255 - in.row(y)[i]);
        }
    }
}

static const Register registered{{.name = "omp_rows",
                                  .backend = common::Backend::omp,
                                  .idea = "the loops of seq, rows divided among the threads"},
                                 omp_rows};

}  // namespace @{space}@
