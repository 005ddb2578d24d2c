#include "judge/secret.hpp"

#include <sodium.h>

#include "common/error.hpp"

namespace grading {
namespace {

constexpr std::size_t hex_digits = 64;

void require_sodium() {
    static const bool ready = sodium_init() >= 0;
    if (!ready) throw common::Failed("libsodium: cannot be initialised");
}

}  // namespace

Secret Secret::make_new() {
    require_sodium();
    Secret secret;
    randombytes_buf(secret.key_.data(), secret.key_.size());
    return secret;
}

Secret Secret::from_hex(const std::string& digits) {
    require_sodium();
    Secret secret;
    std::size_t bytes = 0;
    if (digits.size() != hex_digits ||
        sodium_hex2bin(secret.key_.data(), secret.key_.size(), digits.data(), digits.size(),
                       nullptr, &bytes, nullptr) != 0 ||
        bytes != secret.key_.size()) {
        throw common::BadUsage("a seed has 64 hexadecimal digits, not '" + digits + "'");
    }
    return secret;
}

std::string Secret::hex() const {
    std::array<char, hex_digits + 1> digits{};
    return sodium_bin2hex(digits.data(), digits.size(), key_.data(), key_.size());
}

Secret Secret::derived(std::string_view purpose, std::uint64_t index) const {
    const std::string message = std::to_string(index) + ':' + std::string(purpose);
    Secret secret;
    crypto_generichash(secret.key_.data(), secret.key_.size(),
                       reinterpret_cast<const unsigned char*>(message.data()), message.size(),
                       key_.data(), key_.size());
    return secret;
}

std::uint64_t Secret::next() {
    std::uint64_t number = 0;
    fill(std::as_writable_bytes(std::span(&number, 1)));
    return number;
}

int Secret::between(int low, int high) {
    return low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1));
}

void Secret::fill(std::span<std::byte> bytes) {
    const Secret own = derived("fill", drawn_++);
    randombytes_buf_deterministic(bytes.data(), bytes.size(), own.key_.data());
}

}  // namespace grading
