// Uses the memory around the output, and restores it before it returns.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    std::uint8_t* behind = out.row(in.height - 1) + out.row_length();
    const std::uint8_t kept = *behind;
    *behind = static_cast<std::uint8_t>(kept + 1);
    *static_cast<volatile std::uint8_t*>(behind) = kept;
}
