// Pixels of three bytes are never aligned, so each of their bytes takes a load. With a fourth byte
// a pixel is one aligned word: a third of the loads, and a warp's loads are 128 bytes in a row.
// Images come with three bytes, so they are packed first and unpacked in the end, in scratch
// memory; all of that is timed here. cuda_uchar4_packed shows what it costs.
//
// Against cuda_constant: one load per tap instead of three, at the price of two more passes over
// the images and a third more bytes. Bound by arithmetic (conversions, multiply-adds).
//
// Comes to 2.7% of the rate of a copy (7680x4320, default filter, NVIDIA H200).

#include "problem/uchar4.cuh"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static __global__ void unpack(DeviceView<const Rgba> in, DeviceView<std::uint8_t> out) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= in.width || y >= in.height) return;
    const Rgba pixel = in.at(x, y);
    out.at(x, y, 0) = pixel.x;
    out.at(x, y, 1) = pixel.y;
    out.at(x, y, 2) = pixel.z;
}

void cuda_uchar4(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    if (in.channels != 3) throw common::Unsupported("cuda_uchar4: takes colour images only");
    const auto packed_out = scratch_image(*options.scratch, 1, out.width, out.height);
    launch_uchar4(packed(in, *options.scratch, 0, stream), packed_out, options, stream);
    const dim3 grid = common::grid_for(out.width, out.height, common::Block{32, 8});
    unpack<<<grid, dim3(32, 8), 0, stream>>>(read_only(packed_out), out);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_uchar4",
     .backend = common::Backend::cuda,
     .idea = "pixels of four bytes, read in one piece; with packing and unpacking"},
    cuda_uchar4};

}  // namespace upscale
