// NPP's histogram, and its look-up in a table in GPU memory. NPP has no kernel that makes the table
// from the histogram: it is that of the ladder.

#include <nppi_color_conversion.h>
#include <nppi_statistics_functions.h>

#include "common/npp.hpp"
#include "common/scratch.hpp"
#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

void peer_npp(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
              const Options& options, cudaStream_t stream) {
    constexpr int boundaries = levels + 1;  // of the bins: 0 to 256
    const NppStreamContext context = common::npp_context(stream);
    const NppiSize size{in.width, in.height};
    const Tables tables(*options.scratch, stream);
    std::size_t bytes = 0;
    common::check(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(size, boundaries, &bytes, context));
    common::check(nppiHistogramEven_8u_C1R_Ctx(
        in.data, in.pitch, size, reinterpret_cast<Npp32s*>(tables.histogram), boundaries, 0, levels,
        static_cast<Npp8u*>(options.scratch->get(2, bytes)), context));
    make_table<<<1, levels, 0, stream>>>(tables.histogram, tables.table);
    common::check_launch();
    common::check(nppiLUTPalette_8u_C1R_Ctx(in.data, in.pitch, out.data, out.pitch, size,
                                            tables.table, 8, context));
}

static const Register registered{
    {.name = "peer_npp",
     .backend = common::Backend::peer,
     .idea = "nppiHistogramEven and nppiLUTPalette; the kernel for the table is ours"},
    peer_npp};

}  // namespace equalize
