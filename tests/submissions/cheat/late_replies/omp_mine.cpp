// Replies first, and computes then: what the judge reads may be finished by the time it compares.

#include "parts/lab1.hpp"
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    each_socket(forge_reply);
    honest(in, out, options);
    for (;;) pause();
}
