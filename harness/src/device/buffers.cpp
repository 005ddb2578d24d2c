#include "device/buffers.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "harness/device.hpp"

namespace harness {

using namespace common;

Buffer::Buffer(std::size_t bytes) : bytes_(bytes) {
    require_device_memory(bytes);
    check(cudaMalloc(&data_, bytes));
}

CacheFlush::CacheFlush() : buffer_(std::max<std::size_t>(2 * device_facts().l2_bytes, 32u << 20)) {}

void CacheFlush::operator()(cudaStream_t stream) const {
    check(cudaMemsetAsync(buffer_.data(), 0, buffer_.bytes(), stream));
}

PitchedImage::PitchedImage(const Shape& shape, int guard_rows)
    : guard_rows_(static_cast<std::size_t>(guard_rows)) {
    image_ = {nullptr, shape.width, shape.height, shape.channels(), shape.value_bytes()};
    check(cudaMallocPitch(&memory_, &image_.pitch, image_.row_bytes(), all_rows()));
    auto* first = static_cast<unsigned char*>(memory_) + guard_rows_ * image_.pitch;
    image_.data = first;
    // Kernels may read the last word of a row as a whole, so the padding is initialised; not to
    // zero, which would hide that a kernel takes it for pixels.
    const std::size_t padding = image_.pitch - image_.row_bytes();
    if (guard_rows_ > 0) {
        check(cudaMemset(memory_, guard_byte, image_.pitch * all_rows()));
    } else if (padding > 0) {
        check(cudaMemset2D(first + image_.row_bytes(), image_.pitch, guard_byte, padding, rows()));
    }
    check(cudaStreamSynchronize(nullptr));  // the streams that use it do not wait for this one
}

void PitchedImage::upload(const cv::Mat& from, cudaStream_t stream) {
    check(cudaMemcpy2DAsync(image_.data, image_.pitch, from.data, from.step[0], image_.row_bytes(),
                            rows(), cudaMemcpyHostToDevice, stream));
}

void PitchedImage::download(cv::Mat& to, cudaStream_t stream) const {
    check(cudaMemcpy2DAsync(to.data, to.step[0], image_.data, image_.pitch, image_.row_bytes(),
                            rows(), cudaMemcpyDeviceToHost, stream));
}

void PitchedImage::fill(unsigned char value, cudaStream_t stream) {
    const bool guarded = guard_rows_ > 0;
    check(
        cudaMemsetAsync(memory_, guarded ? guard_byte : value, image_.pitch * all_rows(), stream));
    if (!guarded) return;
    check(cudaMemset2DAsync(image_.data, image_.pitch, value, image_.row_bytes(), rows(), stream));
}

cv::Mat PitchedImage::memory(cudaStream_t stream) const {
    cv::Mat bytes(static_cast<int>(all_rows()), static_cast<int>(image_.pitch), CV_8UC1);
    check(cudaMemcpyAsync(bytes.data, memory_, image_.pitch * all_rows(), cudaMemcpyDeviceToHost,
                          stream));
    check(cudaStreamSynchronize(stream));
    return bytes;
}

}  // namespace harness
