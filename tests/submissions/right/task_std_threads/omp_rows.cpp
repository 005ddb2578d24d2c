// A task for several threads, by std::thread.
#include <algorithm>
#include <thread>
#include <vector>

#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
    const auto work = [&](int first) {
        for (int y = first; y < in.height; y += options.threads) {
            for (int x = 0; x < in.width; ++x) {
                for (int c = 0; c < in.channels; ++c) {
                    float sum = 0;
                    for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                        for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                            sum +=
                                static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                        }
                    }
                    out.at(x, y, c) = to_pixel(sum);
                }
            }
        }
    };
    std::vector<std::thread> team;
    for (int t = 1; t < options.threads; ++t) team.emplace_back(work, t);
    work(0);
    for (std::thread& thread : team) thread.join();
}

static const Register registered{{.name = "omp_rows",
                                  .backend = common::Backend::omp,
                                  .idea = "the loops of seq, rows divided among the threads"},
                                 omp_rows};

}  // namespace convolution
