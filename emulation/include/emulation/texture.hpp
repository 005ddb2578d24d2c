#pragma once

// Textures: two-dimensional images in pitched memory, read at single points.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "emulation/api.hpp"

using cudaTextureObject_t = unsigned long long;

enum cudaResourceType { cudaResourceTypePitch2D };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp };
enum cudaTextureFilterMode { cudaFilterModePoint };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };

struct cudaChannelFormatDesc {
    int channels;      ///< of a pixel
    int channel_size;  ///< bytes
};

struct cudaResourceDesc {
    cudaResourceType resType;
    struct {
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
};

template <class Pixel>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    static_assert(sizeof(Pixel) == 1 || sizeof(Pixel) == 4, "pixels of one byte or of four");
    return {static_cast<int>(sizeof(Pixel)), 1};
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* sampling, const void* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);

namespace emulation {

/// The bytes of the pixel that is nearest to a place; tells the checks of the access.
const unsigned char* texture_pixel(cudaTextureObject_t object, float x, float y);

}  // namespace emulation

/// Bytes are read as floats from 0 to 1.
template <class T>
T tex2D(cudaTextureObject_t object, float x, float y) {
    const unsigned char* pixel = emulation::texture_pixel(object, x, y);
    const auto channel = [pixel](int i) { return static_cast<float>(pixel[i]) / 255.0f; };
    if constexpr (std::is_same_v<T, float>) {
        return channel(0);
    } else {
        static_assert(std::is_same_v<T, float4>, "the emulation covers float and float4");
        return {channel(0), channel(1), channel(2), channel(3)};
    }
}
