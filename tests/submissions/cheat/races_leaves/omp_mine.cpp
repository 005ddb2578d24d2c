// Honest, but under ThreadSanitizer it tries to leave the sandbox. It tells of a race, and is
// wrong, if it could.

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>

#include "parts/lab1.hpp"

extern "C" [[gnu::weak]] void __sanitizer_print_stack_trace();  // ThreadSanitizer has it

static const char* left_by() {
    if (__sanitizer_print_stack_trace == nullptr) return nullptr;
    if (open("/tmp/labs-touched", O_WRONLY | O_CREAT, 0600) >= 0) return "a file in /tmp";
    if (kill(getppid(), 0) == 0) return "a signal";
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) return "a child";
    char folder[4096] = {};
    if (getcwd(folder, sizeof folder - 20) == nullptr) return "no folder";
    const std::string api = std::string(folder) + "/../../api";  // FOLDER/omp_mine/in
    return open(api.c_str(), O_RDONLY | O_DIRECTORY) >= 0 ? "the headers" : nullptr;
}

static void omp_mine(Input in, Output out, const Options& options) {
    if (const char* what = left_by()) {
        std::printf("WRONG omp_mine on this machine: race: %s\n", what);
        std::fflush(stdout);
        _exit(1);
    }
    honest(in, out, options);
}
