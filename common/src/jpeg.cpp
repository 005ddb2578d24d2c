#include "jpeg.hpp"

#include <cstddef>

namespace common {
namespace {

constexpr uchar marker_start = 0xFF;  // and a fill byte before a marker
constexpr uchar stuffing = 0x00;      // after an FF that is data
constexpr uchar first_restart = 0xD0;
constexpr uchar start_of_image = 0xD8;
constexpr uchar end_of_image = 0xD9;
constexpr uchar temporary = 0x01;

/// Markers without a length: they are not followed by a segment.
bool stands_alone(uchar code) {
    return code == stuffing || code == temporary ||
           (code >= first_restart && code <= start_of_image);
}

}  // namespace

bool is_jpeg(const std::vector<uchar>& bytes) {
    return bytes.size() > 2 && bytes[0] == marker_start && bytes[1] == start_of_image;
}

bool is_cut_jpeg(const std::vector<uchar>& bytes) {
    if (!is_jpeg(bytes)) return false;
    // The data of a scan, which has no length, is passed over byte by byte, as the decoder does.
    for (std::size_t at = 2; at + 1 < bytes.size();) {
        const uchar code = bytes[at + 1];
        if (bytes[at] != marker_start || code == marker_start) {
            ++at;
        } else if (stands_alone(code)) {
            at += 2;
        } else if (code == end_of_image) {
            return false;
        } else {
            if (at + 3 >= bytes.size()) return true;
            at += 2 + std::size_t{bytes[at + 2]} * 256 + bytes[at + 3];
        }
    }
    return true;
}

}  // namespace common
