// Task D of the handout. On a GPU, the result of this variant is right nearly always. It has two
// faults all the same. Find them, name the rule that each one breaks, and repair them.
//
// cuda_global_atomics looks up four pixels per load and store. Here a load or store of the look-up
// takes 16 pixels, which are 128 bits, and the last one of a row fewer, if its width is no multiple
// of 16. Rows begin at multiples of 16 bytes and are padded, so that every load is aligned and
// stays in its row.

#include "problem/make_table.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static constexpr int vector = 16;  // pixels of a load or store

static __global__ void __launch_bounds__(1024)
    count_in_global(DeviceView<const std::uint8_t> in, Count* histogram) {
    for_each_pixel(in, [=](std::uint8_t level) { atomicAdd(&histogram[level], Count{1}); });
}

static __device__ unsigned look_up_four(unsigned pixels, const std::uint8_t* values) {
    return values[pixels & 0xff] | values[pixels >> 8 & 0xff] << 8 |
           values[pixels >> 16 & 0xff] << 16 | values[pixels >> 24] << 24;
}

static __global__ void __launch_bounds__(1024)
    look_up_vectors(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const std::uint8_t* table) {
    __shared__ std::uint8_t values[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) values[i] = table[i];

    const std::int64_t first_row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
    const std::int64_t rows = std::int64_t{gridDim.x} * blockDim.y;
    for (std::int64_t row = first_row; row < in.height; row += rows) {
        const int y = row;
        for (std::int64_t x = std::int64_t{vector} * threadIdx.x; x < in.width;
             x += vector * blockDim.x) {
            const uint4 pixels = *reinterpret_cast<const uint4*>(in.row(y) + x);
            const uint4 result{look_up_four(pixels.x, values), look_up_four(pixels.y, values),
                               look_up_four(pixels.z, values), look_up_four(pixels.w, values)};
            *reinterpret_cast<uint4*>(out.row(y) + x) = result;
        }
    }
}

static void cuda_broken(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                        const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const unsigned blocks = row_blocks(in.height, block);
    const Tables tables(*options.scratch, stream);
    count_in_global<<<blocks, threads_of(block), 0, stream>>>(in, tables.histogram);
    common::check_launch();
    make_table<<<1, levels, 0, stream>>>(tables.histogram, tables.table);
    common::check_launch();
    look_up_vectors<<<blocks, threads_of(block), 0, stream>>>(in, out, tables.table);
    common::check_launch();
}

static const Register registered{{.name = "cuda_broken",
                                  .backend = common::Backend::cuda,
                                  .idea = "16 pixels per load and store of the look-up; task D"},
                                 cuda_broken};

}  // namespace equalize
