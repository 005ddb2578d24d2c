// Sends one byte of a reply and waits: a judge that reads the whole of it never returns.

#include "parts/lab1.hpp"
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    each_socket([](int fd) { send(fd, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL); });
    for (;;) pause();
}
