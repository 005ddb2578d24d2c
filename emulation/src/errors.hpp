#pragma once

#include <string>

#include "emulation/api.hpp"

namespace emulation {

/// Streams that were made and not destroyed.
int streams_in_use();

/// Keeps the first error, with its explanation, until cudaGetLastError is called.
void set_error(cudaError_t error, const std::string& text);

/// Likewise for a mistake of the program, which the harness tells from other errors.
inline void set_fault(const std::string& text) {
    set_error(cudaErrorLaunchFailure, "WRONG (found by the emulation): " + text);
}

}  // namespace emulation
