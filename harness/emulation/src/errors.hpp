#pragma once

#include <string>

#include "emulation/api.hpp"

namespace emulation {

/// Keeps an error, with its explanation, for cudaGetLastError; the first one, until it is asked
/// for.
void set_error(cudaError_t error, const std::string& text);

}  // namespace emulation
