#pragma once

// GPU memory of the harness: images, and a buffer that flushes the L2 cache.

#include <cstddef>
#include <opencv2/core.hpp>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "harness/job.hpp"

namespace harness {

using namespace common;

/// Bytes of GPU memory. Throws Failed if they do not fit.
class Buffer {
  public:
    explicit Buffer(std::size_t bytes);
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

  private:
    void* data_ = nullptr;
    std::size_t bytes_;
};

/// Evicts what a run left in the L2 cache, by writing a buffer larger than the cache.
class CacheFlush {
  public:
    CacheFlush();
    void operator()(cudaStream_t stream) const;

  private:
    Buffer buffer_;
};

/// An image whose rows are padded by cudaMallocPitch. With `guard_rows`, for tests, there are
/// additional rows above and below; these and the padding are filled with guard_byte.
class PitchedImage {
  public:
    explicit PitchedImage(const Shape& shape, int guard_rows = 0);
    ~PitchedImage() { cudaFree(memory_); }
    PitchedImage(const PitchedImage&) = delete;
    PitchedImage& operator=(const PitchedImage&) = delete;

    const UntypedRows& image() const { return image_; }

    void upload(const cv::Mat& from, cudaStream_t stream);
    void download(cv::Mat& to, cudaStream_t stream) const;
    void fill(unsigned char value, cudaStream_t stream);

    /// All bytes: those of the image, the padding and the guard rows.
    cv::Mat memory(cudaStream_t stream) const;

  private:
    void* memory_ = nullptr;
    std::size_t guard_rows_;
    UntypedRows image_;

    std::size_t rows() const { return static_cast<std::size_t>(image_.height); }
    std::size_t all_rows() const { return rows() + 2 * guard_rows_; }
};

}  // namespace harness
