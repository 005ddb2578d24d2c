#include "judge/shared_image.hpp"

#include <sodium.h>

#include <cstring>

#include "common/error.hpp"

namespace grading {
namespace {

constexpr std::size_t guard_bytes = 4096;  // so that images begin at pages

std::size_t in_pages(std::size_t bytes) {
    return (bytes + 4095) / 4096 * 4096;
}

}  // namespace

SharedImage::SharedImage(std::span<std::byte> memory, std::size_t& begin, const Image& image)
    : memory_(memory), image_(image) {
    const std::size_t needed = bytes_of(image);
    if (memory.size() - begin < needed) {
        throw common::Failed("the images do not fit into the memory shared with a worker");
    }
    plane_ = {begin + guard_bytes, image.width,       image.height,
              image.channels,      image.value_bytes, image.pitch};
    begin += needed;
}

std::size_t SharedImage::bytes_of(const Image& image) {
    return in_pages(image.pitch_bytes() * static_cast<std::size_t>(image.height)) + 2 * guard_bytes;
}

/// Calls act(bytes in the shared memory) for all ranges of guard bytes.
template <class Act>
void SharedImage::for_each_guard(Act act) const {
    const std::size_t gap = image_.pitch_bytes() - image_.row_bytes();
    act(std::span(row(0) - guard_bytes, guard_bytes));
    for (int y = 0; y < image_.height && gap > 0; ++y) {
        act(std::span(row(y) + image_.row_bytes(), gap));
    }
    act(std::span(row(image_.height), guard_bytes));
}

void SharedImage::write() {
    guards_.clear();
    for_each_guard([&](std::span<std::byte> range) {
        randombytes_buf(range.data(), range.size());
        guards_.insert(guards_.end(), range.begin(), range.end());
    });
    for (int y = 0; y < image_.height; ++y) std::memcpy(row(y), own_row(y), image_.row_bytes());
}

void SharedImage::read() const {
    for (int y = 0; y < image_.height; ++y) std::memcpy(own_row(y), row(y), image_.row_bytes());
}

bool SharedImage::guards_are_intact() const {
    bool intact = true;
    const std::byte* expected = guards_.data();
    for_each_guard([&](std::span<const std::byte> range) {
        intact = intact && std::memcmp(range.data(), expected, range.size()) == 0;
        expected += range.size();
    });
    return intact;
}

bool SharedImage::image_is_unchanged() const {
    for (int y = 0; y < image_.height; ++y) {
        if (std::memcmp(own_row(y), row(y), image_.row_bytes()) != 0) return false;
    }
    return true;
}

}  // namespace grading
