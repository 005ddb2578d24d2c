#pragma once

// Images in the memory that a judge shares with a worker, with guard bytes around them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "worker/protocol.hpp"

namespace grading {

/// An image in the judge's own memory.
struct Image {
    std::byte* data = nullptr;
    int width = 0;
    int height = 0;
    int channels = 0;
    int value_bytes = 0;
    std::ptrdiff_t pitch = 0;  ///< in values

    std::size_t pitch_bytes() const {
        return static_cast<std::size_t>(pitch) * static_cast<std::size_t>(value_bytes);
    }
    std::size_t row_bytes() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(channels) *
               static_cast<std::size_t>(value_bytes);
    }
};

/// A copy of an image in shared memory. Before it, behind it and between its rows are bytes that
/// nobody can guess; `check` finds those that have changed.
class SharedImage {
  public:
    /// Takes the memory from `begin` on, and moves `begin` behind it. Throws Failed if there is not
    /// enough.
    SharedImage(std::span<std::byte> memory, std::size_t& begin, const Image& image);

    /// The bytes that an image takes there.
    static std::size_t bytes_of(const Image& image);

    const Plane& plane() const { return plane_; }

    /// Copies the image there and makes new guard bytes.
    void write();

    /// Copies the image back.
    void read() const;

    bool guards_are_intact() const;
    bool image_is_unchanged() const;

  private:
    std::span<std::byte> memory_;
    Image image_;
    Plane plane_;
    std::vector<std::byte> guards_{};

    std::byte* row(int y) const {
        return memory_.data() + plane_.offset + static_cast<std::size_t>(y) * image_.pitch_bytes();
    }
    std::byte* own_row(int y) const {
        return image_.data + static_cast<std::size_t>(y) * image_.pitch_bytes();
    }
    template <class Act>
    void for_each_guard(Act act) const;
};

}  // namespace grading
