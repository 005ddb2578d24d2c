#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace common {

/// The first directory of a TIFF or BigTIFF file, or of an EXIF block, which has the same form.
class Directory {
  public:
    /// Throws BadUsage if it is damaged.
    explicit Directory(std::span<unsigned char> file);

    /// The first value of a tag, or `otherwise`.
    std::uint64_t value(int tag, std::uint64_t otherwise) const;

    /// Replaces the first value, if the tag is there.
    void set(int tag, unsigned char value);

    bool is_last() const { return is_last_; }

  private:
    struct Entry {
        int tag;
        std::uint64_t at;   ///< of the first value
        std::size_t bytes;  ///< of a value
    };

    std::span<unsigned char> file_;
    bool big_endian_;
    bool is_last_ = true;
    std::vector<Entry> entries_;
};

bool is_tiff(std::span<const unsigned char> file);

/// 1 to 8, as EXIF numbers them; 1, upright, where the block says nothing or is damaged.
int exif_orientation(std::span<const unsigned char> block);

constexpr int orientation_tag = 274;

}  // namespace common
