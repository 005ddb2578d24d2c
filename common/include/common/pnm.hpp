#pragma once

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>
#include <span>

namespace common {

/// The header of a picture of Netpbm: PBM, PGM and PPM (P1 to P6), and PAM (P7).
struct PnmHeader {
    char kind;  ///< '1' to '7'
    int width = 0;
    int height = 0;
    int channels = 1;       ///< 2 and 4: the last one is alpha
    int most = 1;           ///< the largest value; in files of more than 255 a value has two bytes
    std::size_t bytes = 0;  ///< of the header

    bool is_text() const { return kind <= '3'; }
};

bool is_pnm(std::span<const uchar> file);

/// Throws BadUsage with the reason. `file` may end behind the header.
PnmHeader read_pnm_header(std::span<const uchar> file);

/// The values as they are in the file: of 8 or 16 bits, colours as BGR. PBM: 0 and 1, which is
/// white. Throws BadUsage with the reason. `rest`: bytes behind the picture.
cv::Mat read_pnm(std::span<const uchar> file, const PnmHeader& header, std::size_t& rest);

}  // namespace common
