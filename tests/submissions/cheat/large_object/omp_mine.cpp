// An object file of 4 GB.

#include "parts/lab1.hpp"

__attribute__((used)) static char large[std::size_t{1} << 32] = {1};

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static_cast<void>(large[in.width]);
}
