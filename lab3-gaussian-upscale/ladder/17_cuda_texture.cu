// cuda_constant is bound by the instructions around the multiply-add. Here the texture unit does
// them: it clamps coordinates, computes the address and converts bytes to floats, all in one
// instruction per tap. Its interpolation is not used, because its weights have 9 bits. Pixels of
// three bytes are no texture format, so colour images are packed into four bytes first, inside the
// timing; the output needs no unpacking.
//
// Bound by the texture unit, which serves 4 lanes per clock and multiprocessor, an eighth of what
// the L1 cache does for loads: (2r+1)^2 fetches per output pixel.
//
// It is no faster than cuda_constant. The instructions are saved, but Nsight Compute reports the
// texture unit near its peak: it has become the limit.

#include <memory>
#include <string>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static __global__ void pack(DeviceView<const std::uint8_t> in, DeviceView<uchar4> out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    out.at(x, y) = uchar4{in.at(x, y, 0), in.at(x, y, 1), in.at(x, y, 2), 255};
}

template <int Channels>
static __global__ void upscale_texture(cudaTextureObject_t image,
                                       DeviceView<std::uint8_t, Channels> out,
                                       const Weights weights) {
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    float sum[Channels] = {};
    for (int j = -weights.radius; j <= weights.radius; ++j) {
        float row[Channels] = {};
        for (int i = -weights.radius; i <= weights.radius; ++i) {
            const float x = X / 2 + i * direction(X) + 0.5f;
            const float y = Y / 2 + j * direction(Y) + 0.5f;
            if constexpr (Channels == 1) {
                row[0] += tex2D<float>(image, x, y) * weights.at(i);
            } else {
                const float4 pixel = tex2D<float4>(image, x, y);
                row[0] += pixel.x * weights.at(i);
                row[1] += pixel.y * weights.at(i);
                row[2] += pixel.z * weights.at(i);
            }
        }
        for (int c = 0; c < Channels; ++c) sum[c] += row[c] * weights.at(j);
    }
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(255 * sum[c]);
}

/// A texture object: coordinates are clamped to the image, a byte b is read as the float b / 255,
/// and pixel (x, y) is at the coordinates (x + 0.5, y + 0.5).
struct Texture {
    const void* data;
    std::ptrdiff_t width, height, pitch;
    cudaTextureObject_t object = 0;

    /// Throws Unsupported if the image exceeds a limit (131072 x 65000 on current GPUs).
    template <class Pixel>
    explicit Texture(DeviceView<const Pixel> image)
        : data(image.data), width(image.width), height(image.height), pitch(image.pitch) {
        const std::ptrdiff_t row_bytes = image.pitch * sizeof(Pixel);
        require("columns", image.width, cudaDevAttrMaxTexture2DLinearWidth);
        require("rows", image.height, cudaDevAttrMaxTexture2DLinearHeight);
        require("bytes in a row", row_bytes, cudaDevAttrMaxTexture2DLinearPitch);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = const_cast<Pixel*>(image.data);
        resource.res.pitch2D.desc = cudaCreateChannelDesc<Pixel>();
        resource.res.pitch2D.width = image.width;
        resource.res.pitch2D.height = image.height;
        resource.res.pitch2D.pitchInBytes = row_bytes;
        cudaTextureDesc sampling{};
        sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
        sampling.filterMode = cudaFilterModePoint;
        sampling.readMode = cudaReadModeNormalizedFloat;
        common::check(cudaCreateTextureObject(&object, &resource, &sampling, nullptr));
    }
    ~Texture() { cudaDestroyTextureObject(object); }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;

    template <class Pixel>
    bool shows(DeviceView<const Pixel> image) const {
        const bool same_size = width == image.width && height == image.height;
        return data == image.data && same_size && pitch == image.pitch;
    }

    static void require(const std::string& what, std::ptrdiff_t size, cudaDeviceAttr limit) {
        const int most = common::device_attribute(limit);
        if (size <= most) return;
        throw common::Unsupported("a texture of " + std::to_string(size) + " " + what +
                                  ": this GPU takes at most " + std::to_string(most));
    }
};

template <class Pixel>
static cudaTextureObject_t texture_of(DeviceView<const Pixel> image, common::Scratch& scratch) {
    std::shared_ptr<void>& kept = scratch.kept(0);
    if (!kept || !static_cast<Texture*>(kept.get())->shows(image)) {
        kept = std::make_shared<Texture>(image);
    }
    return static_cast<Texture*>(kept.get())->object;
}

static DeviceView<const uchar4> packed(DeviceView<const std::uint8_t> in, common::Scratch& scratch,
                                       cudaStream_t stream) {
    const std::ptrdiff_t pitch = (std::ptrdiff_t{in.width} + 31) / 32 * 32;
    const std::size_t pixels = pitch * in.height;
    auto* data = static_cast<uchar4*>(scratch.get(0, pixels * sizeof(uchar4)));
    const DeviceView<uchar4> copy{data, in.width, in.height, 1, pitch};
    pack<<<common::grid_for(in.width, in.height, {32, 8}), dim3(32, 8), 0, stream>>>(in, copy);
    common::check_launch();
    return {data, in.width, in.height, 1, pitch};
}

void cuda_texture(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Options& options, cudaStream_t stream) {
    common::Scratch& scratch = *options.scratch;
    const cudaTextureObject_t texture = in.channels == 1
                                            ? texture_of(in, scratch)
                                            : texture_of(packed(in, scratch, stream), scratch);
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(out.width, out.height, block);
    if (in.channels == 1) {
        upscale_texture<1><<<grid, threads, 0, stream>>>(texture, out, options.weights);
    } else {
        upscale_texture<3><<<grid, threads, 0, stream>>>(texture, out, options.weights);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_texture",
     .backend = common::Backend::cuda,
     .idea = "taps by the texture unit, which clamps, addresses and converts"},
    cuda_texture,
    Traits{.operations = [](int radius, int channels) {
        return direct_sum_operations(radius, channels) + 1;  // the product with 255
    }}};

}  // namespace upscale
