#pragma once

#include <cstdint>

#include "common/view.hpp"

namespace equalize {

/// Copies the rows of `from` to `to`, an image of the same size. One thread is slower than a modern
/// bus. Not in the .cu file, because nvcc compiles that without OpenMP.
void copy_rows(common::ImageView<const std::uint8_t> from, common::ImageView<std::uint8_t> to,
               int threads);

}  // namespace equalize
