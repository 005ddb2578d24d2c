#pragma once

#include <cstdint>

#include "common/options.hpp"

namespace integral {

using Pixel = std::int32_t;

/// Sums have 64 bits where 32 might overflow; see sum_type(). Every variant takes both.
using Sum32 = std::int32_t;
using Sum64 = std::int64_t;

/// Blocks of a CUDA grid in x and y.
struct Grid {
    int width = 0;
    int height = 0;
};

/// The options of this lab.
struct Options : common::RunOptions {
    int inner_threads = 1;  ///< of omp_nested, for the sum of each pixel; >= 1
    Grid grid{};            ///< of the quadratic kernels; 0x0: as many blocks as cover the image
};

}  // namespace integral
