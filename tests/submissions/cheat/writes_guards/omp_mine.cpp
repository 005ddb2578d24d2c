// Right, but it also writes a byte behind each row that does not belong to the output.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    for (int y = 0; y < in.height; ++y) out.row(y)[out.row_length()] = 0;
}
