// Right: a histogram in global memory, a table by one thread, a look-up.

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

struct Memory {
    Count histogram[levels];
    std::uint8_t table[levels];
};

static __global__ void count(DeviceView<const std::uint8_t> in, Memory* memory) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < in.width && y < in.height) atomicAdd(&memory->histogram[in.at(x, y)], Count{1});
}

static __global__ void make_table(Memory* memory, Count pixels) {
    Count cdf = 0;
    Count cdf_min = 0;
    for (int level = 0; level < levels; ++level) {
        cdf += memory->histogram[level];
        if (cdf_min == 0) cdf_min = cdf;
        memory->table[level] = table_value(level, cdf, cdf_min, pixels);
    }
}

static __global__ void look_up(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                               const Memory* memory) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < in.width && y < in.height) out.at(x, y) = memory->table[in.at(x, y)];
}

static void cuda_mine(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 grid = common::grid_for(in.width, in.height, block);
    const dim3 threads = common::threads_of(block);
    auto* memory = static_cast<Memory*>(options.scratch->get(0, sizeof(Memory)));
    common::check(cudaMemsetAsync(memory, 0, sizeof(Memory), stream));
    count<<<grid, threads, 0, stream>>>(in, memory);
    common::check_launch();
    make_table<<<1, 1, 0, stream>>>(memory, static_cast<Count>(in.width) * in.height);
    common::check_launch();
    look_up<<<grid, threads, 0, stream>>>(in, out, memory);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_mine", .backend = common::Backend::cuda, .idea = "three kernels"}, cuda_mine};

}  // namespace equalize
