// The mask is flipped, as in the definition of a convolution in mathematics.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    Options flipped = options;
    std::reverse(flipped.mask.weights,
                 flipped.mask.weights + flipped.mask.size * flipped.mask.size);
    honest(in, out, flipped);
}
