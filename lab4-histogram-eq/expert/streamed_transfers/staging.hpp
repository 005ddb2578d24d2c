#pragma once

#include <cstdint>

#include "common/view.hpp"

namespace equalize {

/// Copies the rows of `from` to `to`, which is as large, with so many OpenMP threads: one alone is
/// slower than a modern bus. In C++ because nvcc is not told of OpenMP.
void copy_rows(common::ImageView<const std::uint8_t> from, common::ImageView<std::uint8_t> to,
               int threads);

}  // namespace equalize
