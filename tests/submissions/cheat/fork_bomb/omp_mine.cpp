// Processes without end.

#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool forked = false;
    for (int i = 0; i < 2000; ++i) {
        const pid_t child = fork();
        forked |= child > 0;
        if (child == 0) {
            for (;;) fork();
        }
    }
    right_if(forked, in, out, options);
}
