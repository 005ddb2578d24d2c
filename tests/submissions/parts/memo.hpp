// Parts of submissions that remember results.

#include <vector>

[[maybe_unused]] static std::uint64_t hash_of(std::uint64_t hash, const void* data,
                                              std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 1099511628211U;
    return hash;
}

/// Computes the result if `known` is empty, and copies it otherwise.
static void remember(std::vector<std::uint8_t>& known, Input in, Output out,
                     const Options& options) {
    if (known.empty()) {
        honest(in, out, options);
        for (int y = 0; y < in.height; ++y) {
            known.insert(known.end(), out.row(y), out.row(y) + out.row_length());
        }
    }
    for (int y = 0; y < in.height; ++y) {
        std::copy_n(known.begin() + y * out.row_length(), out.row_length(), out.row(y));
    }
}
