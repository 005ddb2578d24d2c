// nppiIntegral_8u32s takes 8-bit pixels. Its sums are exclusive: a row and a column of zeros
// precede them.

#include <nppi_statistics_functions.h>

#include <cstdint>

#include "common/npp.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

static void peer_npp(DeviceView<const std::uint8_t> in, DeviceView<Sum32> sums, const Options&,
                     cudaStream_t stream) {
    constexpr Npp32s offset = 0;  // added to every sum
    common::check(
        nppiIntegral_8u32s_C1R_Ctx(in.data, static_cast<int>(in.pitch), sums.data,
                                   static_cast<int>(sums.pitch) * static_cast<int>(sizeof(Sum32)),
                                   {in.width, in.height}, offset, common::npp_context(stream)));
}

static const Register registered{
    {.name = "peer_npp",
     .backend = common::Backend::peer,
     .idea = "nppiIntegral_8u32s: 8-bit pixels, exclusive 32-bit sums"},
    Cost::linear,
    peer_npp};

}  // namespace integral
