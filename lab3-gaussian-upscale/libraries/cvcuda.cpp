// CV-CUDA's resize samples at the same positions as the definition and replicates the border. Its
// cubic method has the weights of `bicubic`. Half-way cases are rounded to even. So it is in
// version 0.19; version 0.15 takes other pixels at the border, so that only the inside is compared.

#include <cvcuda/OpResize.hpp>
#include <memory>

#include "common/cvcuda.hpp"
#include "common/error.hpp"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static NVCVInterpolationType interpolation(Method method) {
    switch (method) {
        case Method::bicubic:
            return NVCV_INTERP_CUBIC;
        case Method::bilinear:
            return NVCV_INTERP_LINEAR;
        case Method::gauss:
        case Method::lagrange:
        case Method::lanczos:
        case Method::learned:
            break;
    }
    throw common::Unsupported("peer_cvcuda: has no such method; take --method bicubic");
}

void peer_cvcuda(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const NVCVInterpolationType method = interpolation(options.method);
    if (method == NVCV_INTERP_LINEAR && (in.width == 1 || in.height == 1)) {
        throw common::Unsupported("peer_cvcuda: bilinear needs two rows and two columns");
    }
    std::shared_ptr<void>& resize = options.scratch->kept(0);
    if (!resize) resize = std::make_shared<cvcuda::Resize>();
    (*static_cast<cvcuda::Resize*>(resize.get()))(stream, common::cvcuda_tensor(in),
                                                  common::cvcuda_tensor(out), method);
}

static const Register registered{
    {.name = "peer_cvcuda",
     .backend = common::Backend::peer,
     .idea = "cvcuda::Resize, bilinear or bicubic; compared away from the border",
     .agreement = {.tolerance = 1, .inside_only = true}},
    peer_cvcuda};

}  // namespace upscale
