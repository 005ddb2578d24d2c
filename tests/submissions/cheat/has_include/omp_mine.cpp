// Asks the compiler whether files exist. Right if one does that the sandbox ought not to have.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
#if __has_include("@CANARY@") || __has_include("/etc/passwd")
    right_if(true, in, out, options);
#else
    right_if(false, in, out, options);
#endif
}
