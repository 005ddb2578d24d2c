// Fault: at one size it sleeps forever. At one size only, because each test that hangs takes time.

#include <chrono>
#include <thread>

#include "parts/planted.hpp"

static void omp_hangs(Input in, Output out, const Options& options) {
    volatile bool done = in.width != 56;
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    seq(in, out, options);
}

static const Register registered{planted("omp_hangs", "waits for ever"), omp_hangs};
