#pragma once

// Pictures for the small main of a lab (one.hpp).

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "common/view.hpp"

namespace common::one {

/// A picture between values that belong to no picture: reads and writes outside it show.
template <class T>
struct Picture {
    static constexpr int guard_rows = 8;  ///< above and below: more than any radius
    static constexpr int guard_values = 64;
    static constexpr T guard = 77;

    int width;
    int height;
    int channels;
    std::ptrdiff_t pitch = std::ptrdiff_t{width} * channels + guard_values;
    std::vector<T> values =
        std::vector<T>(static_cast<std::size_t>(pitch * (height + 2 * guard_rows)), guard);

    template <class Value, class Self>
    static ImageView<Value> view_of(Self& self) {
        return {self.values.data() + self.pitch * guard_rows, self.width, self.height,
                self.channels, self.pitch};
    }
    ImageView<T> view() { return view_of<T>(*this); }
    ImageView<const T> view() const { return view_of<const T>(*this); }
    void fill(T value) {
        for (int y = 0; y < height; ++y) {
            std::fill_n(view().row(y), view().row_length(), value);
        }
    }
    bool guards_are_whole() const {
        Picture inside = *this;
        inside.fill(guard);
        return std::all_of(inside.values.begin(), inside.values.end(),
                           [](T value) { return value == guard; });
    }
    std::string size() const {
        return std::to_string(width) + "x" + std::to_string(height) + "x" +
               std::to_string(channels);
    }
};

/// The next of a sequence of 32-bit numbers without a pattern.
inline std::uint32_t next_noise(std::uint32_t& state) {
    state = state * 1664525 + 1013904223;
    return state ^ state >> 15;
}

/// A picture of the values `value_at(x, y, c, noise)`.
template <class T, class ValueAt>
Picture<T> painted(int width, int height, int channels, ValueAt value_at) {
    Picture<T> picture{width, height, channels};
    std::uint32_t state = 1;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < channels; ++c) {
                const auto value = value_at(x, y, c, next_noise(state));
                picture.view().at(x, y, c) = static_cast<T>(value);
            }
        }
    }
    return picture;
}

/// A picture with smooth areas, edges and noise, of values 0 to 255.
template <class T>
Picture<T> scene(int width, int height, int channels) {
    return painted<T>(width, height, channels, [](int x, int y, int c, std::uint32_t noise) {
        const int smooth = (x * (c + 1) / 4 + y / 3) % 200;
        const bool bright = (x / 16 + y / 12) % 5 == 0;
        return bright ? 255 - smooth : smooth + static_cast<int>(noise >> 27);
    });
}

/// Small pictures, gray ones and with so many channels, whose sizes are multiples of nothing: noise
/// of 0 to `most`; then pictures of two values and of one.
template <class T>
std::vector<Picture<T>> small_pictures(std::initializer_list<int> channels, std::uint64_t most) {
    constexpr std::array<std::array<int, 2>, 9> sizes{
        {{7, 1}, {1, 1}, {1, 7}, {2, 2}, {20, 12}, {13, 42}, {31, 33}, {101, 99}, {257, 64}}};
    const auto noise_to = [](std::uint64_t largest) {
        return [=](int, int, int, std::uint64_t noise) { return noise * (largest + 1) >> 32; };
    };
    std::vector<Picture<T>> all;
    for (const int count : channels) {
        for (const auto [width, height] : sizes) {
            all.push_back(painted<T>(width, height, count, noise_to(most)));
        }
        all.push_back(painted<T>(
            37, 29, count, [&](int, int, int, std::uint32_t noise) { return noise % 2 * most; }));
        for (const std::uint64_t value : {most, most / 3, std::uint64_t{0}}) {
            all.push_back(painted<T>(19, 23, count, [=](auto...) { return value; }));
        }
    }
    return all;
}

/// Reads a binary PGM or PPM file with 8 bits per value; colours become BGR.
template <class T>
Picture<T> read_picture(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw BadUsage("cannot read '" + path + "': " + std::strerror(errno));
    const auto number = [&file] {
        int value = 0;
        while ((file >> std::ws).peek() == '#') {
            file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        }
        file >> value;
        return value;
    };
    std::string kind;
    file >> kind;
    const int width = number();
    const int height = number();
    const int most = number();
    file.get();
    if (!file || (kind != "P5" && kind != "P6") || width < 1 || height < 1 || most != 255) {
        throw BadUsage("'" + path + "': expected a binary PGM or PPM file with values up to 255");
    }
    const int channels = kind == "P6" ? 3 : 1;
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto row_bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
    if (bytes.size() / row_bytes < static_cast<std::size_t>(height)) {
        throw BadUsage("'" + path + "': the file ends too early");
    }
    Picture<T> picture{width, height, channels};
    auto next = bytes.begin();
    for (int y = 0; y < height; ++y) {
        T* row = picture.view().row(y);
        for (int i = 0; i < width * channels; ++i) {
            row[i] = static_cast<T>(static_cast<unsigned char>(*next++));
        }
        for (int x = 0; picture.channels == 3 && x < width; ++x) {
            std::swap(row[3 * x], row[3 * x + 2]);
        }
    }
    return picture;
}

}  // namespace common::one
