// A template that takes the compiler hours, or all memory.

#include "parts/lab1.hpp"

template <long Path, int Depth>
constexpr long tree() {
    if constexpr (Depth == 0)
        return Path + 1;
    else
        return tree<2 * Path, Depth - 1>() + tree<2 * Path + 1, Depth - 1>();
}

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static_assert(tree<0, 60>() > 0);
}
