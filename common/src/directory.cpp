#include "directory.hpp"

#include <algorithm>

#include "bytes.hpp"

namespace common {
namespace {

/// 0 for types that are not whole numbers.
std::size_t bytes_of_type(std::uint64_t type) {
    switch (type) {
        case 1:  // BYTE
            return 1;
        case 3:  // SHORT
            return 2;
        case 4:  // LONG
            return 4;
        case 16:  // LONG8
            return 8;
        default:
            return 0;
    }
}

}  // namespace

bool is_tiff(std::span<const unsigned char> file) {
    const Bytes bytes(file);
    using namespace std::string_view_literals;
    return bytes.has(0, "II*\0"sv) || bytes.has(0, "MM\0*"sv) || bytes.has(0, "II+\0"sv) ||
           bytes.has(0, "MM\0+"sv);
}

Directory::Directory(std::span<unsigned char> file)
    : file_(file), big_endian_(!file.empty() && file.front() == 'M') {
    const Bytes bytes(file, big_endian_);
    const bool big = bytes.number(2, 2) == 43;  // BigTIFF, with 64-bit numbers
    const std::size_t wide = big ? 8 : 4;
    const std::size_t count_bytes = big ? 8 : 2;
    std::uint64_t at = bytes.number(wide, wide);
    std::uint64_t count = bytes.number(at, count_bytes);
    for (at += count_bytes; count > 0; --count, at += 4 + 2 * wide) {
        const std::size_t value_bytes = bytes_of_type(bytes.number(at + 2, 2));
        const std::uint64_t values = bytes.number(at + 4, wide);
        if (value_bytes == 0 || values == 0) continue;
        const bool beside = values > wide / value_bytes;
        const std::uint64_t place = at + 4 + wide;
        entries_.push_back({static_cast<int>(bytes.number(at, 2)),
                            beside ? bytes.number(place, wide) : place, value_bytes});
    }
    is_last_ = bytes.number(at, wide) == 0;
}

std::uint64_t Directory::value(int tag, std::uint64_t otherwise) const {
    const auto entry = std::ranges::find(entries_, tag, &Entry::tag);
    if (entry == entries_.end()) return otherwise;
    return Bytes(file_, big_endian_).number(entry->at, entry->bytes);
}

void Directory::set(int tag, unsigned char value) {
    const auto entry = std::ranges::find(entries_, tag, &Entry::tag);
    if (entry == entries_.end()) return;
    const std::span<unsigned char> bytes = file_.subspan(entry->at, entry->bytes);
    std::ranges::fill(bytes, 0);
    (big_endian_ ? bytes.back() : bytes.front()) = value;
}

int exif_orientation(std::span<const unsigned char> block) {
    try {
        if (Bytes(block).has(0, "Exif")) block = block.subspan(6);
        std::vector<unsigned char> copy(block.begin(), block.end());
        const std::uint64_t found = Directory(copy).value(orientation_tag, 1);
        return found >= 1 && found <= 8 ? static_cast<int>(found) : 1;
    } catch (const BadUsage&) {
        return 1;
    }
}

}  // namespace common
