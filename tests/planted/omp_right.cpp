// No fault: a student's new variant, which needs no other change to appear everywhere.

#include <algorithm>

#include "parts/planted.hpp"

static void omp_right(Input in, Output out, const Options& options) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
#pragma omp parallel for num_threads(options.threads)
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

static const Register registered{planted("omp_right", "rows divided among the threads"), omp_right};
