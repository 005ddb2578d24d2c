#pragma once

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>

#include "harness/job.hpp"

namespace harness {

// A 64-bit hash of an image's bytes. The outputs of timed repeats are compared with the verified
// output by it, because that takes less time than a comparison with the definition. It is a sum
// over the words of 8 bytes, each mixed with its index by random_at(). So threads may add in any
// order, and an image in GPU memory has the same hash as its copy in host memory. A row's last word
// is filled up with zero bytes.

constexpr std::size_t words_of(std::size_t row_bytes) {
    return (row_bytes + 7) / 8;
}

/// The fingerprint of an image in host memory, computed by `threads` threads; or the share in it of
/// rows that begin at `first_row`.
std::uint64_t fingerprint(const cv::Mat& image, int threads, int first_row = 0);

/// The same of an image in GPU memory, whose rows begin aligned to 8 bytes. Waits for `stream`.
std::uint64_t device_fingerprint(const UntypedRows& image, cudaStream_t stream, int first_row = 0);

}  // namespace harness
