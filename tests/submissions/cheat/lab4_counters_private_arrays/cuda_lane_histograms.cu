// Each thread has 256 counts of its own, in a local array. A warp adds them up by shuffles, and one
// warp of the block adds the sums to the histogram.

#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(32)
    count_by_lanes(DeviceView<const std::uint8_t> in, Count* histogram) {
    Count counts[levels] = {};
    const int step = 4 * 32;
    for (int y = blockIdx.x; y < in.height; y += gridDim.x) {
        for (int x = 4 * threadIdx.x; x < in.width; x += step) {
            if (x + 4 <= in.width) {
                const uchar4 four = *reinterpret_cast<const uchar4*>(in.row(y) + x);
                ++counts[four.x];
                ++counts[four.y];
                ++counts[four.z];
                ++counts[four.w];
            } else {
                for (int i = x; i < in.width; ++i) ++counts[in.row(y)[i]];
            }
        }
    }
    Count mine[levels / 32];
    for (int level = 0; level < levels; ++level) {
        Count sum = counts[level];
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        }
        if (level % 32 == static_cast<int>(threadIdx.x)) mine[level / 32] = sum;
    }
    for (int i = 0; i < levels / 32; ++i) atomicAdd(&histogram[32 * i + threadIdx.x], mine[i]);
}

void cuda_lane_histograms(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 32});
    const Tables tables(*options.scratch, stream);
    count_by_lanes<<<std::min(in.height, 34), 32, 0, stream>>>(in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{{.name = "cuda_lane_histograms",
                                  .backend = common::Backend::cuda,
                                  .idea = "a histogram per thread in a local array"},
                                 cuda_lane_histograms};

}  // namespace equalize
