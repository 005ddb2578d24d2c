// Uses memory after it was freed.

#include <cstdlib>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    auto* values = static_cast<std::uint8_t*>(std::malloc(std::size_t{1} << 24));
    std::free(values);
    honest(in, out, options);
    out.at(0, 0) = values[1 << 20];
}
