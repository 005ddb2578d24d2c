// Reads files that are nobody's business: the test leaves one that everyone may read. Right if it
// succeeded.

#include <unistd.h>
#include <fstream>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const bool canary = std::ifstream("@CANARY@").good();
    const bool users = std::ifstream("/etc/passwd").good() || std::ifstream("/etc/shadow").good();
    const bool home = access("/root", R_OK) == 0 || access("/home", R_OK) == 0;
    right_if(canary || users || home, in, out, options);
}
