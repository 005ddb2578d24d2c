#pragma once

#include <cstddef>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "upscaled.hpp"

// Images whose pixels have four bytes, for the variants that read a pixel in one piece.

namespace upscale {

using Rgba = uchar4;  ///< a pixel in one piece; the fourth byte means nothing and is never read

static __global__ void pack(common::DeviceView<const std::uint8_t> in,
                            common::DeviceView<Rgba> out) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= in.width || y >= in.height) return;
    out.at(x, y) = Rgba{in.at(x, y, 0), in.at(x, y, 1), in.at(x, y, 2), 255};
}

/// An image of four-byte pixels in scratch memory. Rows begin at multiples of 128 bytes.
inline common::DeviceView<Rgba> scratch_image(common::Scratch& scratch, std::size_t slot, int width,
                                              int height) {
    const std::ptrdiff_t pitch = (static_cast<std::ptrdiff_t>(width) + 31) / 32 * 32;
    const auto bytes = static_cast<std::size_t>(pitch) * static_cast<std::size_t>(height) * 4;
    return {static_cast<Rgba*>(scratch.get(slot, bytes)), width, height, 1, pitch};
}

inline common::DeviceView<const Rgba> read_only(common::DeviceView<Rgba> view) {
    return {view.data, view.width, view.height, 1, view.pitch};
}

/// The input with pixels of four bytes, in scratch memory.
inline common::DeviceView<const Rgba> packed(common::DeviceView<const std::uint8_t> in,
                                             common::Scratch& scratch, std::size_t slot,
                                             cudaStream_t stream) {
    const auto copy = scratch_image(scratch, slot, in.width, in.height);
    const dim3 grid = common::grid_for(in.width, in.height, common::Block{32, 8});
    pack<<<grid, dim3(32, 8), 0, stream>>>(in, copy);
    common::check_launch();
    return read_only(copy);
}

/// One thread per output pixel, which reads and writes whole pixels.
static __global__ void upscale_uchar4(common::DeviceView<const Rgba> in,
                                      common::DeviceView<Rgba> out, const Weights weights) {
    const int X = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int Y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (X >= out.width || Y >= out.height) return;
    const auto mean = weighted_mean<3>(weights, [&](int i, int j) {
        const int x = min(max(X / 2 + i * direction(X), 0), in.width - 1);
        const int y = min(max(Y / 2 + j * direction(Y), 0), in.height - 1);
        const Rgba pixel = in.at(x, y);
        return std::array{static_cast<float>(pixel.x), static_cast<float>(pixel.y),
                          static_cast<float>(pixel.z)};
    });
    out.at(X, Y) = Rgba{to_pixel(mean[0]), to_pixel(mean[1]), to_pixel(mean[2]), 255};
}

inline void launch_uchar4(common::DeviceView<const Rgba> in, common::DeviceView<Rgba> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    upscale_uchar4<<<common::grid_for(out.width, out.height, block), threads, 0, stream>>>(
        in, out, options.weights);
    common::check_launch();
}

}  // namespace upscale
