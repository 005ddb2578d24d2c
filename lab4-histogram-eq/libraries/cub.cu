// cub::DeviceHistogram with one bin per level. CUB has no look-up: the kernels after the histogram
// are those of the ladder.

#include <cub/device/device_histogram.cuh>

#include "common/scratch.hpp"
#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

void peer_cub(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
              const Options& options, cudaStream_t stream) {
    constexpr int boundaries = levels + 1;  // of the bins: 0 to 256
    const Tables tables(*options.scratch, stream);
    std::size_t bytes = 0;
    const auto count = [&](void* temporary) {
        common::check(cub::DeviceHistogram::HistogramEven(temporary, bytes, in.data,
                                                          tables.histogram, boundaries, 0, levels,
                                                          in.width, in.height, in.pitch, stream));
    };
    count(nullptr);  // only returns the size of its temporary memory
    count(options.scratch->get(2, bytes));
    launch_look_up(in, out, tables, common::Block{32, 8}, stream);
}

static const Register registered{
    {.name = "peer_cub",
     .backend = common::Backend::peer,
     .idea = "cub::DeviceHistogram; the kernels for table and look-up are ours"},
    peer_cub};

}  // namespace equalize
