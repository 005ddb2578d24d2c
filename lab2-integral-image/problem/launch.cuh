#pragma once

#include "common/cuda.cuh"
#include "options.hpp"

namespace integral {

/// Blocks and threads of a kernel with one thread per pixel. An explicit grid has to cover the
/// image; 16x16 is what the original report (002) found best.
struct Launch {
    dim3 grid;
    dim3 threads;

    Launch(int width, int height, const Options& options) {
        const common::Block block = options.block.value_or(common::Block{16, 16});
        threads = dim3(static_cast<unsigned>(block.width), static_cast<unsigned>(block.height));
        grid = options.grid.width > 0 ? dim3(static_cast<unsigned>(options.grid.width),
                                             static_cast<unsigned>(options.grid.height))
                                      : common::grid_for(width, height, block);
    }
};

}  // namespace integral
