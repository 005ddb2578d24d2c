#pragma once

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>

#include "harness/job.hpp"

namespace common {

// A 64-bit hash of an image's bytes. Outputs of timed repeats are compared by it with the output
// that was verified: reading every output once costs less than a comparison with the definition.
// It is a sum over 8-byte words, each mixed with its place, so threads may add in any order, and
// the hash of an image in GPU memory equals that of its copy in host memory.

/// Share of one word. `place` counts words; a row's last word is filled up with zero bytes.
constexpr std::uint64_t word_hash(std::uint64_t word, std::uint64_t place) {
    std::uint64_t x = word + (place + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;  // the finalizer of splitmix64
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

constexpr std::size_t words_of(std::size_t row_bytes) {
    return (row_bytes + 7) / 8;
}

/// Of an image in host memory, by `threads` threads.
std::uint64_t fingerprint(const cv::Mat& image, int threads);

/// Of an image in GPU memory, whose rows begin aligned to 8 bytes. Waits for `stream`.
std::uint64_t device_fingerprint(const DeviceImage& image, cudaStream_t stream);

}  // namespace common
