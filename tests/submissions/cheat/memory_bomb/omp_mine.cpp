// Memory without end.

#include <vector>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static std::vector<std::vector<char>> kept;
    for (;;) kept.emplace_back(std::size_t{1} << 28, 'x');
}
