// Registers a wrong function and an honest one, for whoever takes the first or the last.

#include "parts/lab1_tools.hpp"

namespace convolution {

static void zeros(Input in, Output out, const Options&) {
    for (int y = 0; y < in.height; ++y) std::fill_n(out.row(y), out.row_length(), std::uint8_t{0});
}
static const Register first{mine_info, zeros};

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};
static const Register last{mine_info, zeros};

}  // namespace convolution
