#pragma once

// Random numbers that no submission can predict: ChaCha20 and BLAKE2b of libsodium.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace grading {

/// A key, and the numbers that follow from it. Each grading has a new one; each purpose and each
/// round has a key derived from it. A worker that has seen the numbers of one key knows nothing of
/// those of another.
class Secret {
  public:
    static Secret make_new();

    /// From 64 hexadecimal digits. Throws BadUsage.
    static Secret from_hex(const std::string& digits);
    std::string hex() const;

    Secret derived(std::string_view purpose, std::uint64_t index = 0) const;

    /// The next number of this key.
    std::uint64_t next();
    int between(int low, int high);  ///< both included

    /// Other bytes at each call.
    void fill(std::span<std::byte> bytes);

  private:
    std::array<unsigned char, 32> key_{};
    std::uint64_t drawn_ = 0;
};

}  // namespace grading
