// Includes the definition of the right result.

#include "problem/oracle.cpp"
#include "problem/oracle.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
