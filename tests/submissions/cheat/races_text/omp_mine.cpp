// Tells of a race that there is not, in a text for the page: it is cut, quoted and escaped.

#include <unistd.h>

#include <cstdio>

#include "parts/lab1.hpp"

extern "C" [[gnu::weak]] void __sanitizer_print_stack_trace();  // ThreadSanitizer has it

static void omp_mine(Input in, Output out, const Options& options) {
    if (__sanitizer_print_stack_trace != nullptr) {
        std::printf("WRONG omp_mine on x: race: <script>alert(1)</script>\x1b[31m");
        for (int i = 0; i < 5000; ++i) std::printf("full marks ");
        std::printf("\n");
        std::fflush(stdout);
        _exit(1);
    }
    honest(in, out, options);
}
