// Odd but right: holds 1 GB.

#include <cstddef>
#include <vector>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static const std::vector<std::byte> held(std::size_t{1} << 30, std::byte{1});
    if (held.back() != std::byte{1}) throw std::logic_error("the memory changed");
    honest(in, out, options);
}
