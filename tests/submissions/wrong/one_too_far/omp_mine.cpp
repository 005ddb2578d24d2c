// Writes one byte behind the output, and one before it.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    out.row(in.height - 1)[in.row_length()] ^= 0xff;
    out.row(0)[-1] ^= 0xff;
}
