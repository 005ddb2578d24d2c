#include "measure/fingerprint.hpp"

#include <cstring>

#include "harness/random.hpp"

namespace harness {
namespace {

std::uint64_t row_fingerprint(const unsigned char* row, std::size_t bytes, std::uint64_t place) {
    std::uint64_t sum = 0;
    std::size_t at = 0;
    for (; at + 8 <= bytes; at += 8, ++place) {
        std::uint64_t word = 0;
        std::memcpy(&word, row + at, 8);
        sum += random_at(word, place);
    }
    if (at < bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, row + at, bytes - at);
        sum += random_at(word, place);
    }
    return sum;
}

}  // namespace

std::uint64_t fingerprint(const cv::Mat& image, int threads, int first_row) {
    const std::size_t bytes = static_cast<std::size_t>(image.cols) * image.elemSize();
    std::uint64_t sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
    for (int y = 0; y < image.rows; ++y) {
        const std::uint64_t first = static_cast<std::uint64_t>(first_row + y) * words_of(bytes);
        sum += row_fingerprint(image.ptr(y), bytes, first);
    }
    return sum;
}

}  // namespace harness
