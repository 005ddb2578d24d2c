// The library call on the GPU: NPP's general filter with a float mask. It takes the coefficients in
// reverse order, and its only border mode is replication.

#include <nppi_filtering_functions.h>

#include <algorithm>
#include <span>
#include <vector>

#include "common/npp.hpp"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

void peer_npp(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
              const Options& options, cudaStream_t stream) {
    const Mask& mask = options.mask;
    std::vector<float> reversed(mask.weights, mask.weights + mask.size * mask.size);
    std::reverse(reversed.begin(), reversed.end());
    const auto* weights = static_cast<const float*>(
        options.scratch->constants(0, std::as_bytes(std::span(reversed)), stream));

    const auto filter =
        in.channels == 1 ? nppiFilterBorder32f_8u_C1R_Ctx : nppiFilterBorder32f_8u_C3R_Ctx;
    const NppiSize size{in.width, in.height};
    const NppStatus status =
        filter(in.data, static_cast<int>(in.pitch), size, {0, 0}, out.data,
               static_cast<int>(out.pitch), size, weights, {mask.size, mask.size},
               {mask.radius(), mask.radius()}, NPP_BORDER_REPLICATE, common::npp_context(stream));
    common::check(status);
}

static const Register registered{
    {.name = "peer_npp",
     .backend = common::Backend::peer,
     .idea = "nppiFilterBorder32f; replicates the border, so compared away from it",
     .agreement = {.tolerance = 1, .inside_only = true}},
    peer_npp};

}  // namespace convolution
