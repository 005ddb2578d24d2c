#pragma once

// Calling CV-CUDA, a library of operators on images in GPU memory.

#include <cstdint>
#include <nvcv/Tensor.hpp>
#include <nvcv/TensorData.hpp>

#include "common/view.hpp"

namespace common {

/// An image as CV-CUDA takes it. The tensor does not own the pixels.
template <class T>
nvcv::Tensor cvcuda_tensor(DeviceView<T> image) {
    static_assert(sizeof(T) == 1, "strides are in bytes");
    nvcv::TensorDataStridedCuda::Buffer buffer{};
    buffer.strides[0] = image.pitch;
    buffer.strides[1] = image.channels;
    buffer.strides[2] = 1;
    buffer.basePtr = reinterpret_cast<NVCVByte*>(const_cast<std::uint8_t*>(image.data));
    const nvcv::TensorShape shape{{image.height, image.width, image.channels}, nvcv::TENSOR_HWC};
    return nvcv::TensorWrapData(nvcv::TensorDataStridedCuda(shape, nvcv::TYPE_U8, buffer));
}

}  // namespace common
