// Sends without end.

#include "parts/lab1.hpp"
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static const char bytes[1 << 16] = {};
    for (;;) each_socket([](int fd) { send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL); });
}
