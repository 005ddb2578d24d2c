// Its kernel is compiled without the calls that count. The name of the attribute is put together.

#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __device__ float load(Input in, int x, int y, int c) {
    return in.at(x, y, c);
}

#define JOIN(a, b) a##b
#define HIDDEN JOIN(__attri, bute__)((JOIN(no_sani, tize)("thread")))

HIDDEN
#include "parts/kernel_lab1.hpp"

static const Register registered{mine_info, honest};
