// The texture unit does what surrounds the arithmetic: it takes care of coordinates outside the
// image, works out the address, and converts bytes to floats. Its interpolation is not used: it has
// weights of 9 bits, the definition asks for more.
//
// Against cuda_constant: a tap is one instruction instead of two clamps, an address, three loads
// and three conversions. Pixels of three bytes are no texture format, so colour images are packed
// into pixels of four bytes first, which is timed here; the output needs no such step.
//
// Bound by the texture unit, which answers 4 requests per clock and multiprocessor, an eighth of
// what the L1 cache does for loads: (2r+1)^2 requests per output pixel.
//
// Comes to 3.5% of the rate of a copy (7680x4320, default filter, NVIDIA H200).
// Nsight Compute has the unit at 95% of what it can do.

#include <array>

#include "common/cuda.cuh"
#include "problem/texture.cuh"
#include "problem/uchar4.cuh"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

template <int Channels>
static __device__ std::array<float, Channels> fetch(cudaTextureObject_t image, float x, float y) {
    if constexpr (Channels == 1) {
        return {tex2D<float>(image, x, y)};
    } else {
        const float4 pixel = tex2D<float4>(image, x, y);
        return {pixel.x, pixel.y, pixel.z};
    }
}

template <int Channels>
static __global__ void upscale_texture(cudaTextureObject_t image, DeviceView<std::uint8_t> out,
                                       const Weights weights) {
    out.channels = Channels;
    const int X = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int Y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (X >= out.width || Y >= out.height) return;
    const auto mean = weighted_mean<Channels>(weights, [&](int i, int j) {
        const float x = static_cast<float>(X / 2 + i * direction(X)) + 0.5f;
        const float y = static_cast<float>(Y / 2 + j * direction(Y)) + 0.5f;
        return fetch<Channels>(image, x, y);
    });
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(255 * mean[c]);
}

void cuda_texture(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Options& options, cudaStream_t stream) {
    common::Scratch& scratch = *options.scratch;
    const Texture& texture = in.channels == 1
                                 ? texture_of(in, scratch, 0)
                                 : texture_of(packed(in, scratch, 0, stream), scratch, 0);
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    const auto kernel = in.channels == 1 ? upscale_texture<1> : upscale_texture<3>;
    kernel<<<common::grid_for(out.width, out.height, block), threads, 0, stream>>>(
        texture.object(), out, options.weights);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_texture",
     .backend = common::Backend::cuda,
     .idea = "taps through the texture unit, which clamps, addresses and converts"},
    cuda_texture};

}  // namespace upscale
