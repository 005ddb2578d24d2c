// cuda_uchar4 spends two of its three passes on the format of the pixels. This variant is its
// middle pass alone, on images whose pixels have four bytes already, as in a program that keeps
// that format throughout.
//
// Bound by instructions, most of them around the 6 conversions and multiply-adds of a tap. The
// images are a third larger than with three bytes, which would count only near the bandwidth of the
// memory.
//
// It is slower than cuda_constant, so packing and unpacking are not the reason why cuda_uchar4 is.
// cuda_constant has three loads per tap, but fewer instructions. (The percentage of a copy is
// higher here, because these images have more bytes.)

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static __global__ void upscale_uchar4(DeviceView<const uchar4> in, DeviceView<uchar4> out,
                                      const Weights weights) {
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    const int taps = 2 * weights.radius + 1;
    const int first_x = X / 2 - weights.radius * direction(X);
    const int first_y = Y / 2 - weights.radius * direction(Y);
    float3 sum = {};
    for (int j = 0; j < taps; ++j) {
        const int y = min(max(first_y + j * direction(Y), 0), in.height - 1);
        float3 row = {};
        for (int i = 0; i < taps; ++i) {
            const int x = min(max(first_x + i * direction(X), 0), in.width - 1);
            const uchar4 pixel = in.at(x, y);
            row.x += pixel.x * weights.values[i];
            row.y += pixel.y * weights.values[i];
            row.z += pixel.z * weights.values[i];
        }
        sum.x += row.x * weights.values[j];
        sum.y += row.y * weights.values[j];
        sum.z += row.z * weights.values[j];
    }
    out.at(X, Y) = uchar4{to_pixel(sum.x), to_pixel(sum.y), to_pixel(sum.z), 255};
}

/// The same image with one value per pixel. The harness aligns rows of device images.
template <class Pixel, class Byte>
static DeviceView<Pixel> as_pixels(DeviceView<Byte> view) {
    return {reinterpret_cast<Pixel*>(view.data), view.width, view.height, 1, view.pitch / 4};
}

void cuda_uchar4_packed(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                        const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    upscale_uchar4<<<common::grid_for(out.width, out.height, block), threads, 0, stream>>>(
        as_pixels<const uchar4>(in), as_pixels<uchar4>(out), options.weights);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_uchar4_packed",
     .backend = common::Backend::cuda,
     .idea = "as cuda_uchar4, on images that have pixels of four bytes already"},
    cuda_uchar4_packed,
    Traits{.operations = direct_sum_operations, .four_byte_pixels = true}};

}  // namespace upscale
