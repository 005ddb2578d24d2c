// Odd but right: prepare.sh gives this file a byte order mark, CR LF, and no newline at its end.
// Comments may hold anything: ümlaut, <script>, "quotes", */ and a backslash.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
