#pragma once

// Parts of the planted variants. tests/planted_faults.sh copies it to ladder/parts/ of lab 1.

#include <cerrno>
#include <cstdint>
#include <string_view>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using Input = common::ImageView<const std::uint8_t>;
using Output = common::ImageView<std::uint8_t>;

void seq(Input in, Output out, const Options& options);

/// An OpenMP variant.
inline common::VariantInfo planted(const char* name, const char* idea) {
    return {.name = name, .backend = common::Backend::omp, .idea = idea};
}

/// Whether this process is a benchmark, and not a test.
inline bool in_benchmark() {
    return std::string_view(program_invocation_short_name) == "convolution";
}

}  // namespace convolution

using namespace convolution;
