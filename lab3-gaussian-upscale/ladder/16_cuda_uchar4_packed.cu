// The middle part of cuda_uchar4, on images that have pixels of four bytes already and may keep
// them: what is left if a whole program works with such pixels.
//
// Against cuda_uchar4: no packing, no unpacking. Bound by arithmetic; the images are a third larger
// than with three bytes, which counts only near the limit of the memory.
//
// Comes to 4.0% of the rate of a copy (7680x4320, default filter, NVIDIA H200).

#include "problem/uchar4.cuh"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// The same rows, with a pixel as one value. Rows begin aligned.
template <class Pixel, class Byte>
static DeviceView<Pixel> whole_pixels(DeviceView<Byte> view) {
    return {reinterpret_cast<Pixel*>(view.data), view.width, view.height, 1, view.pitch / 4};
}

void cuda_uchar4_packed(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                        const Options& options, cudaStream_t stream) {
    launch_uchar4(whole_pixels<const Rgba>(in), whole_pixels<Rgba>(out), options, stream);
}

static const Register registered{{.name = "cuda_uchar4_packed",
                                  .backend = common::Backend::cuda,
                                  .idea = "the same on pixels that have four bytes already"},
                                 cuda_uchar4_packed,
                                 PixelBytes::four};

}  // namespace upscale
