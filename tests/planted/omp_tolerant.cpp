// Fault: it copies its input; it registers with a tolerance that allows everything.

#include <algorithm>

#include "parts/planted.hpp"

static void omp_tolerant(Input in, Output out, const Options&) {
    for (int y = 0; y < in.height; ++y) {
        std::copy_n(&in.at(0, y, 0), in.width * in.channels, &out.at(0, y, 0));
    }
}

static const Register registered{{.name = "omp_tolerant",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: wrong, and asks for tolerance",
                                  .agreement = {.tolerance = 255}},
                                 omp_tolerant};
