#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace common {

/// The header of an image file, and the flags for OpenCV's decoder, which ignores parts of the
/// header depending on the format and the version.
struct Header {
    int mode = -1;                     ///< flags for the decoder
    int most = 255;                    ///< the largest value that the file may have; up to 65535
    int orientation = 1;               ///< as EXIF numbers them
    bool is_strict = true;             ///< a complaint of the decoder means damaged pixels
    std::vector<std::string> notes{};  ///< on what is lost
};

inline const std::string alpha_note = "has an alpha channel; dropped";

/// Throws BadUsage, with the reason, for a file whose pixels the decoder may change. Sets numbers
/// of a TIFF file's header by which the decoder would change colours or turn the picture.
Header read_header(std::vector<uchar>& bytes);

}  // namespace common
