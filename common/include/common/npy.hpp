#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <string>

namespace common {

/// Returns the header of a file for numpy.load, which signed integers follow row after row: format
/// 1.0 of numpy.lib.format.
inline std::string npy_header(std::size_t value_bytes, int rows, int columns) {
    std::string text = fmt::format(
        "{{'descr': '{}i{}', 'fortran_order': False, 'shape': ({}, {}), }}",
        std::endian::native == std::endian::little ? '<' : '>', value_bytes, rows, columns);
    constexpr std::size_t before_text = 10;
    text.append(63 - (before_text + text.size()) % 64, ' ');  // the values begin aligned
    text += '\n';
    std::string header("\x93NUMPY\x01\0", 8);
    header += static_cast<char>(text.size() & 255);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

}  // namespace common
