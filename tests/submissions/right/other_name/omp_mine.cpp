// Odd but right: it registers under another name and as another backend. The name of the file
// counts.

#include "parts/lab1_tools.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{
    {.name = "seq", .backend = common::Backend::seq, .idea = "a wrong name"}, omp_mine};

}  // namespace convolution
