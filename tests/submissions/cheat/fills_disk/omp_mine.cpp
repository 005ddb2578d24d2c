// Writes 100 MB wherever it may.

#include <fstream>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static const std::string block(1 << 20, 'x');
    static bool tried = false;
    for (const char* folder : {"/tmp", "/dev/shm", ".", "/var/tmp"}) {
        if (tried) break;
        std::ofstream file(std::string(folder) + "/labs-submission-left-this");
        for (int i = 0; i < 100 && file; ++i) file << block;
    }
    tried = true;
    honest(in, out, options);
}
