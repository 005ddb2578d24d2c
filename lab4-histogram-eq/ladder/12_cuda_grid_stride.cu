// A block of `cuda_device_table` has 256 pixels. It clears 256 counts for them, and adds up to 256
// to the histogram in global memory: 1666 requests for 4050 requests of counting, and 25484 sectors
// loaded (`run scene:landscape:480x270 --explain --variant cuda_device_table`). Its blocks are 16
// pixels wide, so that they use half of each sector.
//
// Here only as many blocks are launched as are resident at the same time. Each takes many pixels in
// a grid-stride loop, and does once what it did per 256 pixels. Rows of 32 threads use whole
// sectors. It now pays to copy the table to shared memory, too.
//
// Predicted: 166 requests to add counts and 8388 sectors in the same run. At 7680x4320 there are
// 540 blocks, one for 8 rows, instead of 129600. If each of their 138,240 threads waits for one
// byte at a time, and a load takes 0.8 us, this is 0.17 TB/s: 0.19 ms for each of the two kernels,
// about as much as before. It takes less: so a thread has more than one load on its way at a time.
//
// Bound by latency: too few bytes are on their way.

#include "problem/make_table.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

/// Calls visit(x, y) for each pixel of this thread: blocks take rows, threads take columns.
template <class Visit>
static __device__ void for_each_byte(int width, int height, Visit visit) {
    // 64-bit, because a step past the last row or column may exceed 2^31.
    const std::int64_t first_row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
    const std::int64_t rows = std::int64_t{gridDim.x} * blockDim.y;
    for (std::int64_t y = first_row; y < height; y += rows) {
        for (std::int64_t x = threadIdx.x; x < width; x += blockDim.x) {
            visit(x, y);
        }
    }
}

static __global__ void __launch_bounds__(1024)
    count_rows(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    for_each_byte(in.width, in.height,
                  [&](int x, int y) { atomicAdd(&counts[in.at(x, y)], Count{1}); });
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);
    }
}

static __global__ void __launch_bounds__(1024)
    look_up_rows(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const std::uint8_t* table) {
    __shared__ std::uint8_t values[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) values[i] = table[i];
    __syncthreads();
    for_each_byte(in.width, in.height, [&](int x, int y) { out.at(x, y) = values[in.at(x, y)]; });
}

void cuda_grid_stride(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Tables tables(*options.scratch, stream);
    const unsigned blocks = row_blocks(in.height, block);
    count_rows<<<blocks, threads_of(block), 0, stream>>>(in, tables.histogram);
    common::check_launch();
    make_table<<<1, levels, 0, stream>>>(tables.histogram, tables.table);
    common::check_launch();
    look_up_rows<<<blocks, threads_of(block), 0, stream>>>(in, out, tables.table);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_grid_stride",
     .backend = common::Backend::cuda,
     .idea = "only resident blocks, each with many pixels in a grid-stride loop"},
    cuda_grid_stride};

}  // namespace equalize
