#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/cuda.cuh"
#include "common/error.hpp"
#include "common/scratch.hpp"
#include "common/view.hpp"

namespace upscale {

/// An image as the texture unit sees it: coordinates outside mean the nearest pixel, and a byte b
/// is read as the float b / 255. Pixel (x, y) is at the coordinates (x + 0.5, y + 0.5).
class Texture {
  public:
    /// Pixels of one byte or of four. Throws Unsupported if the image is larger than a texture may
    /// be (131072 x 65000 on current GPUs).
    template <class Pixel>
    explicit Texture(common::DeviceView<const Pixel> image) : data_(image.data) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = const_cast<Pixel*>(image.data);
        resource.res.pitch2D.desc = cudaCreateChannelDesc<Pixel>();
        resource.res.pitch2D.width = static_cast<std::size_t>(image.width);
        resource.res.pitch2D.height = static_cast<std::size_t>(image.height);
        resource.res.pitch2D.pitchInBytes = static_cast<std::size_t>(image.pitch) * sizeof(Pixel);
        require("columns", image.width, cudaDevAttrMaxTexture2DLinearWidth);
        require("rows", image.height, cudaDevAttrMaxTexture2DLinearHeight);
        require("bytes in a row", static_cast<std::int64_t>(resource.res.pitch2D.pitchInBytes),
                cudaDevAttrMaxTexture2DLinearPitch);
        cudaTextureDesc sampling{};
        sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
        sampling.filterMode = cudaFilterModePoint;
        sampling.readMode = cudaReadModeNormalizedFloat;
        common::check(cudaCreateTextureObject(&object_, &resource, &sampling, nullptr));
    }
    ~Texture() { cudaDestroyTextureObject(object_); }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;

    cudaTextureObject_t object() const { return object_; }
    bool shows(const void* data) const { return data == data_; }

  private:
    const void* data_;
    cudaTextureObject_t object_ = 0;

    static void require(const std::string& what, std::int64_t size, cudaDeviceAttr limit) {
        int device = 0;
        int most = 0;
        common::check(cudaGetDevice(&device));
        common::check(cudaDeviceGetAttribute(&most, limit, device));
        if (size > most) {
            throw common::Unsupported("a texture of " + std::to_string(size) + " " + what +
                                      ": this GPU takes at most " + std::to_string(most));
        }
    }
};

/// The texture object of an image, made in the first call. The image of a scratch keeps its size.
template <class Pixel>
const Texture& texture_of(common::DeviceView<const Pixel> image, common::Scratch& scratch,
                          std::size_t slot) {
    std::shared_ptr<void>& kept = scratch.kept(slot);
    if (!kept || !static_cast<Texture*>(kept.get())->shows(image.data)) {
        kept = std::make_shared<Texture>(image);
    }
    return *static_cast<Texture*>(kept.get());
}

}  // namespace upscale
