#include "device_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/device.hpp"
#include "common/error.hpp"

namespace common {

void require_device_memory(std::size_t bytes) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    if (bytes > free) {
        throw Failed(
            fmt::format("not enough GPU memory: {} bytes needed, {} available", bytes, free));
    }
}

Buffer::Buffer(std::size_t bytes) : bytes_(bytes) {
    require_device_memory(bytes);
    check(cudaMalloc(&data_, bytes));
}

CacheFlush::CacheFlush() : buffer_(std::max<std::size_t>(2 * device_facts().l2_bytes, 32u << 20)) {}

void CacheFlush::operator()(cudaStream_t stream) const {
    check(cudaMemsetAsync(buffer_.data(), 0, buffer_.bytes(), stream));
}

PitchedImage::PitchedImage(const Shape& shape) {
    image_.shape = shape;
    check(cudaMallocPitch(&image_.data, &image_.pitch, row_bytes(),
                          static_cast<std::size_t>(shape.height)));
    // Kernels may read a row's last word whole; what they do not use should still be defined.
    const std::size_t padding = image_.pitch - row_bytes();
    auto* first = static_cast<unsigned char*>(image_.data) + row_bytes();
    if (padding > 0) check(cudaMemset2D(first, image_.pitch, 0, padding, rows()));
}

void PitchedImage::upload(const cv::Mat& from, cudaStream_t stream) {
    check(cudaMemcpy2DAsync(image_.data, image_.pitch, from.data, from.step[0], row_bytes(), rows(),
                            cudaMemcpyHostToDevice, stream));
}

void PitchedImage::download(cv::Mat& to, cudaStream_t stream) const {
    check(cudaMemcpy2DAsync(to.data, to.step[0], image_.data, image_.pitch, row_bytes(), rows(),
                            cudaMemcpyDeviceToHost, stream));
}

void PitchedImage::fill(unsigned char value, cudaStream_t stream) {
    check(cudaMemsetAsync(image_.data, value, image_.pitch * rows(), stream));
}

}  // namespace common
