#include "staging.hpp"

#include <algorithm>

namespace equalize {

using common::ImageView;

void copy_rows(ImageView<const std::uint8_t> from, ImageView<std::uint8_t> to, int threads) {
    const int useful = std::clamp(from.height, 1, threads);
#pragma omp parallel for num_threads(useful) firstprivate(from, to) schedule(static)
    for (int y = 0; y < from.height; ++y) {
        std::copy_n(from.row(y), from.row_length(), to.row(y));
    }
}

}  // namespace equalize
