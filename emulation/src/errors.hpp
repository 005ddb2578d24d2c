#pragma once

#include <string>

#include "emulation/api.hpp"

namespace emulation {

/// Streams that were made and not destroyed.
int streams_in_use();

/// Keeps the first error, with its explanation, until cudaGetLastError is called.
void set_error(cudaError_t error, const std::string& text);

}  // namespace emulation
