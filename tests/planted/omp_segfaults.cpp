// Fault: it writes to an invalid address.

#include "parts/planted.hpp"

static void omp_segfaults(Input, Output out, const Options&) {
    // Zero, which the compiler cannot know: it would put a trap in the place of a plain null.
    auto* volatile nowhere = out.data - reinterpret_cast<std::uintptr_t>(out.data);
    *nowhere = 1;
}

static const Register registered{planted("omp_segfaults", "writes to a foreign address"),
                                 omp_segfaults};
