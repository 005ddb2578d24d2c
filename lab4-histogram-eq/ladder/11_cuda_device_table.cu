// `cuda_three_kernels` stops in the middle: the CDF goes to the host, a host function makes the
// table, and the table comes back. The GPU has nothing to do meanwhile. Here a kernel of one block
// makes the table from the histogram (`make_table` in problem/make_table.cuh): no copy, no host
// function. The other two kernels are the same.
//
// Predicted: the scan and the 256 values of the table take one launch, instead of a scan, two
// copies and a host function. This round trip is most of the time of a small image, and a small
// part of the time of a large one.
//
// Bound on large images by what a block does once. A block of 256 pixels clears 256 counts and adds
// up to 256 counts to the histogram in global memory: as many operations as it has pixels.

#include "problem/make_table.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(1024)
    count_in_blocks(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < in.width && y < in.height) atomicAdd(&counts[in.at(x, y)], Count{1});
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);
    }
}

static __global__ void __launch_bounds__(1024)
    look_up_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const std::uint8_t* table) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < in.width && y < in.height) out.at(x, y) = table[in.at(x, y)];
}

void cuda_device_table(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                       const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 grid = common::grid_for(in.width, in.height, block);
    const Tables tables(*options.scratch, stream);
    count_in_blocks<<<grid, threads_of(block), 0, stream>>>(in, tables.histogram);
    common::check_launch();
    make_table<<<1, levels, 0, stream>>>(tables.histogram, tables.table);
    common::check_launch();
    look_up_pixel<<<grid, threads_of(block), 0, stream>>>(in, out, tables.table);
    common::check_launch();
}

static const Register registered{{.name = "cuda_device_table",
                                  .backend = common::Backend::cuda,
                                  .idea = "the GPU makes the table: no round trip to the CPU"},
                                 cuda_device_table};

}  // namespace equalize
