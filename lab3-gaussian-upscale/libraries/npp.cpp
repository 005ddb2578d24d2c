// NPP's resize samples at the same positions as the definition and replicates the border. Its cubic
// method is Lagrange's polynomial: its impulse response is 105, 35, -7 and -5 of 128. The
// documentation does not say so.

#include <nppi_geometry_transforms.h>

#include <cstdint>
#include <string>

#include "common/error.hpp"
#include "common/npp.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static int interpolation(Method method) {
    switch (method) {
        case Method::lagrange:
            return NPPI_INTER_CUBIC;
        case Method::bilinear:
            return NPPI_INTER_LINEAR;
        case Method::gauss:
        case Method::bicubic:
        case Method::lanczos:
        case Method::learned:
            break;
    }
    throw common::Unsupported("peer_npp: has no such method; take --method lagrange");
}

void peer_npp(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
              const Options& options, cudaStream_t stream) {
    const auto resize = in.channels == 1 ? nppiResize_8u_C1R_Ctx : nppiResize_8u_C3R_Ctx;
    const NppStatus status = resize(
        in.data, static_cast<int>(in.pitch), {in.width, in.height}, {0, 0, in.width, in.height},
        out.data, static_cast<int>(out.pitch), {out.width, out.height},
        {0, 0, out.width, out.height}, interpolation(options.method), common::npp_context(stream));
    if (status == NPP_RESIZE_NO_OPERATION_ERROR) {
        throw common::Unsupported("peer_npp: NPP does not resize images of " +
                                  std::to_string(in.width) + "x" + std::to_string(in.height));
    }
    common::check(status);
}

static const Register registered{
    {.name = "peer_npp",
     .backend = common::Backend::peer,
     .idea = "nppiResize, bilinear or cubic, with the cubic weights of --method lagrange",
     .agreement = {.tolerance = 1}},
    peer_npp};

}  // namespace upscale
