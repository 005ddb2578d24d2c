// A hundred megabytes of error messages.

#include "parts/lab1.hpp"

#define TEN(x) x x x x x x x x x x
TEN(TEN(TEN(TEN(TEN(static_assert(false, "an error message of some length, again and again");)))))

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
