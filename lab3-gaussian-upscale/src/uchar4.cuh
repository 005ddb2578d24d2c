#pragma once

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "options.hpp"

// The kernel of cuda_uchar4 and cuda_uchar4_packed.

namespace upscale {

using Rgba = uchar4;  ///< a pixel in one piece; the fourth byte means nothing and is never read

/// One thread per output pixel, which reads and writes whole pixels.
static __global__ void upscale_uchar4(common::DeviceView<const Rgba> in,
                                      common::DeviceView<Rgba> out, const Weights weights) {
    const int X = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int Y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (X >= out.width || Y >= out.height) return;
    const int r = weights.radius;
    const int step_x = direction(X);
    const int step_y = direction(Y);
    float3 sum{0, 0, 0};
    for (int j = -r; j <= r; ++j) {
        const Rgba* source = in.row(min(max(Y / 2 + j * step_y, 0), in.height - 1));
        float3 row{0, 0, 0};
        for (int i = -r; i <= r; ++i) {
            const Rgba pixel = source[min(max(X / 2 + i * step_x, 0), in.width - 1)];
            const float weight = weights.at(i);
            row.x += static_cast<float>(pixel.x) * weight;
            row.y += static_cast<float>(pixel.y) * weight;
            row.z += static_cast<float>(pixel.z) * weight;
        }
        const float weight = weights.at(j);
        sum.x += row.x * weight;
        sum.y += row.y * weight;
        sum.z += row.z * weight;
    }
    out.at(X, Y) = Rgba{to_pixel(sum.x), to_pixel(sum.y), to_pixel(sum.z), 255};
}

inline void launch_uchar4(common::DeviceView<const Rgba> in, common::DeviceView<Rgba> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads(static_cast<unsigned>(block.width), static_cast<unsigned>(block.height));
    upscale_uchar4<<<common::grid_for(out.width, out.height, block), threads, 0, stream>>>(
        in, out, options.weights);
    common::check_launch();
}

}  // namespace upscale
