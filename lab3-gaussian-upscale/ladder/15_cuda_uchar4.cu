// cuda_constant loads every byte of a pixel by an instruction of its own, because a pixel of three
// bytes is not aligned. With a fourth byte, a pixel is an aligned word: one load per tap instead of
// three, and the accesses of a warp cover whole sectors. Images have three bytes per pixel, so they
// are packed into scratch memory first and unpacked in the end, all inside the timing.
//
// The price is two passes over the images and a third more bytes. cuda_uchar4_packed shows what the
// two passes cost.
//
// It is slower than cuda_constant and cuda_shared. It makes a third of the load requests, but loads
// were not the limit: instructions are, and a tap takes more of them (machine code, sm_90). A word
// saves two loads, and needs three instructions to separate its bytes; its address takes more
// instructions, too.

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

static __global__ void unpack(DeviceView<const uchar4> in, DeviceView<std::uint8_t> out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const uchar4 pixel = in.at(x, y);
    out.at(x, y, 0) = pixel.x;
    out.at(x, y, 1) = pixel.y;
    out.at(x, y, 2) = pixel.z;
}

/// An image in scratch memory whose rows begin at multiples of 128 bytes.
static DeviceView<uchar4> scratch_image(common::Scratch& scratch, std::size_t slot, int width,
                                        int height) {
    const std::ptrdiff_t pitch = (std::ptrdiff_t{width} + 31) / 32 * 32;
    const std::size_t pixels = pitch * height;
    void* data = scratch.get(slot, pixels * sizeof(uchar4));
    return {static_cast<uchar4*>(data), width, height, 1, pitch};
}

static DeviceView<const uchar4> read_only(DeviceView<uchar4> view) {
    return {view.data, view.width, view.height, 1, view.pitch};
}

void cuda_uchar4(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    if (in.channels != 3) throw common::Unsupported("cuda_uchar4: takes colour images only");
    const auto packed_in = scratch_image(*options.scratch, 0, in.width, in.height);
    const auto packed_out = scratch_image(*options.scratch, 1, out.width, out.height);
    const common::Block copy_block{32, 8};  // of the two copies
    const dim3 copy_threads = common::threads_of(copy_block);
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);

    pack<<<common::grid_for(in.width, in.height, copy_block), copy_threads, 0, stream>>>(in,
                                                                                         packed_in);
    common::check_launch();
    upscale_uchar4<<<common::grid_for(out.width, out.height, block), threads, 0, stream>>>(
        read_only(packed_in), packed_out, options.weights);
    common::check_launch();
    unpack<<<common::grid_for(out.width, out.height, copy_block), copy_threads, 0, stream>>>(
        read_only(packed_out), out);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_uchar4",
     .backend = common::Backend::cuda,
     .idea = "pixels of four bytes, one aligned load each; packs and unpacks"},
    cuda_uchar4,
    Traits{.operations = direct_sum_operations}};

}  // namespace upscale
