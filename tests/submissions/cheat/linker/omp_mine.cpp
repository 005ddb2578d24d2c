// Asks the linker for a library, a run path and an interpreter from within the file.

#include "parts/lab1.hpp"

asm(R"(.pushsection .note.GNU-stack,"x",@progbits
.popsection
.pushsection .deplibs,"MS",@llvm_dependent_libraries,1
.asciz "opencv_imgproc"
.popsection
.pushsection .interp,"a"
.asciz "/tmp/x"
.popsection)");

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
