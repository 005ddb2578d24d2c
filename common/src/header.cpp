#include "header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <opencv2/imgcodecs.hpp>  // its constants only

#include "bytes.hpp"
#include "directory.hpp"

namespace common {
namespace {

constexpr int upright = cv::IMREAD_ANYDEPTH | cv::IMREAD_IGNORE_ORIENTATION;
constexpr int gray = upright | cv::IMREAD_GRAYSCALE;
constexpr int colour = upright | cv::IMREAD_COLOR;

const std::string first_note = "has several pictures; the first is read";

/// Throws unless the picture has all of its scans: a progressive file may end between two.
class Scans {
  public:
    void add_component(int id) { missing_bits_[id].fill(most_bits); }

    void add(const Bytes& bytes, std::uint64_t at) {
        const std::uint64_t count = bytes.number(at, 1);
        const std::uint64_t first = bytes.number(at + 1 + 2 * count, 1);
        const std::uint64_t last = std::min<std::uint64_t>(bytes.number(at + 2 + 2 * count, 1), 63);
        const auto missing = static_cast<int>(bytes.number(at + 3 + 2 * count, 1) & 15);
        for (std::uint64_t i = 0; i < count; ++i) {
            auto& bits = missing_bits_[static_cast<int>(bytes.number(at + 1 + 2 * i, 1))];
            for (std::uint64_t k = first; k <= last; ++k) bits[k] = missing;
        }
    }

    bool complete() const {
        return std::ranges::all_of(missing_bits_, [](const auto& component) {
            return std::ranges::all_of(component.second, [](int bits) { return bits == 0; });
        });
    }

  private:
    static constexpr int most_bits = 16;
    std::map<int, std::array<int, 64>> missing_bits_;  ///< of each coefficient, by component
};

Header of_jpeg(const Bytes& bytes) {
    constexpr std::uint64_t progressive = 0xC2;
    Header header{.mode = colour};
    Scans scans;
    std::uint64_t frame = 0;
    // The data of a scan, which has no length, is passed over byte by byte, as the decoder does.
    for (std::uint64_t at = 2;;) {
        const std::uint64_t code = bytes.number(at + 1, 1);
        if (bytes.number(at, 1) != 0xFF || code == 0xFF) {  // data, or a fill byte
            ++at;
        } else if (code <= 1 || (code >= 0xD0 && code <= 0xD8)) {  // markers without a length
            at += 2;
        } else if (code == 0xD9) {  // the end of the picture
            if (frame == 0 || !scans.complete()) throw BadUsage("is damaged or cut short");
            return header;
        } else {
            if (code >= 0xC0 && code <= 0xCF && code != 0xC4 && code != 0xC8 && code != 0xCC) {
                frame = code;
                const std::uint64_t channels = bytes.number(at + 9, 1);
                if (channels != 1 && channels != 3) {
                    throw BadUsage("has CMYK colours; gray and RGB are accepted");
                }
                if (channels == 1) header.mode = gray;
                for (std::uint64_t i = 0; frame == progressive && i < channels; ++i) {
                    scans.add_component(static_cast<int>(bytes.number(at + 10 + 3 * i, 1)));
                }
            }
            const std::uint64_t length = bytes.number(at + 2, 1) << 8 | bytes.number(at + 3, 1);
            if (code == 0xDA && frame == progressive) scans.add(bytes, at + 4);
            // A thumbnail inside of this block is a JPEG file with an end of its own.
            if (code == 0xE1 && header.orientation == 1 && bytes.has(at + 4, "Exif")) {
                header.orientation = exif_orientation(bytes.part(at + 4, length - 2));
            }
            at += 2 + length;
        }
    }
}

/// Calls `visit(name, data)` for the chunks of a PNG or RIFF file, as far as they are there.
template <class Visit>
void for_chunks(const Bytes& bytes, std::uint64_t at, bool png, Visit visit) {
    while (at + 8 <= bytes.size()) {
        const std::uint64_t size = bytes.number(at + (png ? 0 : 4), 4);
        if (size > bytes.size() - at - 8) return;  // the decoder complains
        const auto name = bytes.part(at + (png ? 4 : 0), 4);
        visit(std::string(name.begin(), name.end()), bytes.part(at + 8, size));
        at += 8 + size + (png ? 4 : size % 2);
    }
}

Header of_png(const Bytes& bytes) {
    enum { palette = 1, coloured = 2, with_alpha = 4 };
    const std::uint64_t type = bytes.number(25, 1);
    Header header{.mode = (type & coloured) != 0 ? colour : gray, .is_strict = false};
    if (bytes.number(24, 1) == 16) header.most = 65535;
    bool alpha = (type & with_alpha) != 0;
    for_chunks(bytes, 8, true, [&](const std::string& name, std::span<const uchar> data) {
        if (name == "eXIf") header.orientation = exif_orientation(data);
        if (name == "tRNS") alpha = true;
        if (name == "acTL") header.notes.push_back(first_note);
    });
    if (alpha) header.notes.push_back(alpha_note);
    return header;
}

Header of_webp(const Bytes& bytes) {
    Header header{.mode = colour};
    for_chunks(bytes, 12, false, [&](const std::string& name, std::span<const uchar> data) {
        const Bytes chunk(data);
        const bool alpha = (name == "VP8X" && (chunk.number(0, 1) & 0x10) != 0) ||
                           (name == "VP8L" && (chunk.number(4, 1) & 0x10) != 0);
        if (alpha && header.notes.empty()) header.notes.push_back(alpha_note);
        if (name == "ANIM") header.notes.push_back(first_note);
        if (name == "EXIF") header.orientation = exif_orientation(data);
    });
    return header;
}

/// OpenCV takes every palette of an OS/2 file for a gray one.
bool has_gray_palette(const Bytes& bytes, std::uint64_t bits, bool os2) {
    const std::uint64_t used = os2 ? 0 : bytes.number(46, 4);
    const std::uint64_t count = used == 0 ? 1u << bits : std::min<std::uint64_t>(used, 256);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto entry = bytes.part(14 + bytes.number(14, 4) + i * (os2 ? 3 : 4), 3);
        if (entry[0] != entry[1] || entry[1] != entry[2]) return false;
    }
    return true;
}

Header of_bmp(const Bytes& bytes) {
    const bool os2 = bytes.number(14, 4) == 12;
    const std::uint64_t bits = bytes.number(os2 ? 24 : 28, 2);
    if (bits == 16) throw BadUsage("has 16 bits per pixel; BMP is read with 1, 4, 8, 24 or 32");
    if (bits == 32 && !os2 && bytes.number(30, 4) == 3 &&
        (bytes.number(54, 4) != 0xFF0000 || bytes.number(58, 4) != 0xFF00 ||
         bytes.number(62, 4) != 0xFF)) {
        throw BadUsage("has other bit masks than the usual ones of 8 bits per channel");
    }
    Header header{.mode = bits <= 8 && has_gray_palette(bytes, bits, os2) ? gray : colour};
    if (bits == 32) header.notes.push_back(alpha_note);
    return header;
}

Header of_tiff(std::span<uchar> bytes) {
    enum Tag {
        bits_per_sample = 258,
        photometric = 262,
        samples_per_pixel = 277,
        planar = 284,
        extra_samples = 338,
        sample_format = 339
    };
    enum Meaning { min_is_white, min_is_black, rgb, palette, y_cb_cr = 6 };
    enum Extra { associated = 1, unassociated = 2 };

    Directory directory(bytes);
    const std::uint64_t bits = directory.value(bits_per_sample, 1);
    const std::uint64_t meaning = directory.value(photometric, min_is_white);
    const std::uint64_t samples = directory.value(samples_per_pixel, 1);
    const bool one_sample = meaning <= min_is_black || meaning == palette;
    const std::uint64_t extra = samples - (one_sample ? 1 : 3);
    if ((meaning > palette && meaning != y_cb_cr) || extra > 1) {
        throw BadUsage(meaning == 5
                           ? std::string("has CMYK colours; gray and RGB are accepted")
                           : fmt::format("has {} channels of TIFF's photometric interpretation {}; "
                                         "gray and RGB are accepted",
                                         samples, meaning));
    }
    const bool deep = bits == 16 && directory.value(planar, 1) == 1 &&
                      (meaning == rgb || (meaning == min_is_black && extra == 0));
    const bool known = bits == 1 || bits == 8 || (bits == 4 && meaning == palette) || deep;
    if (!known || directory.value(sample_format, 1) != 1) {
        throw BadUsage(fmt::format(
            "has values of {} bits in a form of TIFF that is not accepted; unsigned 8 bits are",
            bits));
    }
    Header header{.mode = meaning <= min_is_black ? gray : colour, .most = deep ? 65535 : 255};
    header.orientation = static_cast<int>(directory.value(orientation_tag, 1));
    if (header.orientation < 1 || header.orientation > 8) header.orientation = 1;
    if (extra == 1) {
        header.notes.push_back(directory.value(extra_samples, 0) == associated
                                   ? "has an alpha channel, by which its colours are multiplied; "
                                     "dropped, the colours are as in the file"
                                   : alpha_note);
    }
    if (!directory.is_last()) header.notes.push_back(first_note);
    directory.set(orientation_tag, 1);
    // libtiff multiplies colours by an unassociated alpha.
    if (directory.value(extra_samples, 0) == unassociated) directory.set(extra_samples, associated);
    return header;
}

}  // namespace

Header read_header(std::vector<uchar>& bytes) {
    const Bytes little(bytes);
    const Bytes big(bytes, true);
    if (little.has(0, "\xFF\xD8\xFF")) return of_jpeg(big);
    if (little.has(0, "\x89PNG\r\n\x1A\n")) return of_png(big);
    if (little.has(0, "RIFF") && little.has(8, "WEBP")) return of_webp(little);
    if (little.has(0, "BM")) return of_bmp(little);
    if (is_tiff(bytes)) return of_tiff(bytes);
    return {.mode = cv::IMREAD_UNCHANGED};
}

}  // namespace common
