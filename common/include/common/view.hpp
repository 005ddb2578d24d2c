#pragma once

#include <cstddef>

namespace common {

enum class Memory { host, device };

/// The number of channels of a view is known at run time only.
inline constexpr int any_channels = 0;

template <class T, Memory Where, int Channels = any_channels>
struct View;

/// Rows of interleaved pixels somewhere in memory; a view owns nothing.
///
/// `pitch` is the distance from one row to the next, counted in values (not bytes). It is at least
/// `width * channels`: device rows are padded so that each of them starts aligned, and the padding
/// may be read. All offsets are 64-bit, so pictures beyond 2^31 bytes index correctly.
template <class T, Memory Where>
struct View<T, Where, any_channels> {
    T* data = nullptr;
    int width = 0;
    int height = 0;
    int channels = 1;
    std::ptrdiff_t pitch = 0;

    /// First value of row `y`, 0 <= y < height.
    constexpr T* row(int y) const { return data + y * pitch; }

    /// Value of channel `c` of the pixel in column `x` of row `y`.
    constexpr T& at(int x, int y, int c = 0) const {
        return row(y)[std::ptrdiff_t{x} * channels + c];
    }

    /// Values in one row that belong to the picture: width * channels.
    constexpr std::ptrdiff_t row_length() const { return std::ptrdiff_t{width} * channels; }
};

/// The same picture, with a number of channels that the compiler knows: loops over the channels
/// unroll, and the address of a value is cheaper to compute.
template <class T, Memory Where, int Channels>
struct View : View<T, Where> {
    static constexpr int channels = Channels;

    constexpr View(const View<T, Where>& picture) : View<T, Where>(picture) {}

    constexpr T& at(int x, int y, int c = 0) const {
        return this->row(y)[std::ptrdiff_t{x} * Channels + c];
    }
    constexpr std::ptrdiff_t row_length() const { return std::ptrdiff_t{this->width} * Channels; }
};

/// A picture in host memory. The two kinds of view do not convert into each other, so handing a
/// host pointer to a kernel does not compile.
template <class T>
using ImageView = View<T, Memory::host>;

/// A picture in GPU memory.
template <class T, int Channels = any_channels>
using DeviceView = View<T, Memory::device, Channels>;

}  // namespace common
