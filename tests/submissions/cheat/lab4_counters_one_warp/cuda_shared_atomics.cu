// One warp counts the whole image, with a column of counts for each lane.

#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void count_in_shared(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels * 32];
    const int lane = threadIdx.x;
    for (int level = 0; level < levels; ++level) counts[level * 32 + lane] = 0;
    for (int y = 0; y < in.height; ++y) {
        for (int x = 4 * lane; x < in.width; x += 4 * 32) {
            if (x + 4 <= in.width) {
                const uchar4 four = *reinterpret_cast<const uchar4*>(in.row(y) + x);
                ++counts[four.x * 32 + lane];
                ++counts[four.y * 32 + lane];
                ++counts[four.z * 32 + lane];
                ++counts[four.w * 32 + lane];
            } else {
                for (int i = x; i < in.width; ++i) ++counts[in.row(y)[i] * 32 + lane];
            }
        }
    }
    __syncwarp();
    for (int first = 0; first < levels; first += 32) {
        Count sum = 0;
        for (int i = 0; i < 32; ++i) sum += counts[(first + lane) * 32 + (i + lane) % 32];
        histogram[first + lane] = sum;
    }
}

void cuda_shared_atomics(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                         const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Tables tables(*options.scratch, stream);
    count_in_shared<<<1, 32, 0, stream>>>(in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{{.name = "cuda_shared_atomics",
                                  .backend = common::Backend::cuda,
                                  .idea = "a column of counts per lane"},
                                 cuda_shared_atomics};

}  // namespace equalize
