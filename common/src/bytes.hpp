#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/error.hpp"

namespace common {

/// The bytes of a file, which are not trusted: reading beyond their end throws BadUsage.
class Bytes {
  public:
    explicit Bytes(std::span<const unsigned char> bytes, bool big_endian = false)
        : bytes_(bytes), big_endian_(big_endian) {}

    std::size_t size() const { return bytes_.size(); }

    std::span<const unsigned char> part(std::uint64_t at, std::uint64_t count) const {
        if (at > size() || count > size() - at) throw BadUsage("is damaged or cut short");
        return bytes_.subspan(at, count);
    }

    std::uint64_t number(std::uint64_t at, std::size_t bytes) const {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) {
            value = value << 8 | part(at + (big_endian_ ? i : bytes - 1 - i), 1).front();
        }
        return value;
    }

    bool has(std::uint64_t at, std::string_view text) const {
        if (at > size() || text.size() > size() - at) return false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (bytes_[at + i] != static_cast<unsigned char>(text[i])) return false;
        }
        return true;
    }

  private:
    std::span<const unsigned char> bytes_;
    bool big_endian_;
};

}  // namespace common
