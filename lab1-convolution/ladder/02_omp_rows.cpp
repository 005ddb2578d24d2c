// The loops of seq, with the rows divided among the threads of an OpenMP team.
//
// Against seq: one directive. There is no race: no two threads write the same row, and the input is
// read-only. Rows cost the same, so a static schedule has no load imbalance. Bound as seq is; the
// speedup is at most the number of cores. It is lower: the compiler makes more instructions of
// these loops than of those of seq (counted in docs/profiling.md).

#include <algorithm>

#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

static const Register registered{{.name = "omp_rows",
                                  .backend = common::Backend::omp,
                                  .idea = "the loops of seq, rows divided among the threads"},
                                 omp_rows};

}  // namespace convolution
