// The assembler includes a file of the machine.

#include "parts/lab1.hpp"

asm(R"(.pushsection .rodata
secret: .incbin "@CANARY@"
.popsection)");
extern "C" const char secret[];

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static_cast<void>(secret);
}
