#pragma once

#include <cstdint>

#include "common/options.hpp"

namespace integral {

using Pixel = std::int32_t;

/// A sum has 64 bits where 32 might not suffice; see sum_type() in sums.hpp. Every variant takes
/// both.
using Sum32 = std::int32_t;
using Sum64 = std::int64_t;

/// Blocks of a CUDA grid in x and y.
struct Grid {
    int width = 0;
    int height = 0;
};

/// What a variant is told besides the image.
struct Options : common::RunOptions {
    int inner_threads = 1;  ///< of omp_nested, for the sum inside each pixel; >= 1
    Grid grid{};            ///< of the quadratic kernels; 0x0: as many blocks as cover the image
};

}  // namespace integral
