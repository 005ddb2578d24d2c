// The compiler's messages hold HTML and terminal codes.

#include "parts/lab1.hpp"

#pragma message "</pre><script>alert('labs')</script>\x1b[2J ]]></testcase>"
static_assert(sizeof(int) == 5, "</pre><script>alert('labs')</script> ]]></testcase>");

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
