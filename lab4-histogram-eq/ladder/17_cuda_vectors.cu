// The rungs from `cuda_shared_atomics` to `cuda_lane_histograms` take about the same time, whatever
// the histogram: counting does not bound them. Their 540 blocks have 138,240 threads, which load 4
// bytes at a time: 0.55 MB on their way, far less than the memory delivers during the latency of a
// load.
//
// Here a load or store takes 16 pixels, and a thread issues two loads before it needs the first
// (ladder/parts/vectors.cuh): 8 times as many bytes are on their way. A block has one histogram
// again, because more of them gained nothing.
//
// Predicted: loads are no longer the limit. The two kernels read and write 3 bytes per pixel, 100
// MB at 7680x4320, half as much again as a copy, and three launches add a few us. So about half of
// the time of `cuda_shared_atomics`.
//
// Bound by memory bandwidth, by three launches, and by shared memory. Lanes that look up different
// levels in the same bank conflict, and lanes that count them, too: the time depends on the image.

#include "ladder/parts/vectors.cuh"
#include "problem/make_table.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(1024)
    count_vectors_in_shared(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    for_each_vector(
        in.width, in.height, [=](const Vector& here) { return load(in, here); },
        [&](const Vector& here, const uint4& pixels) {
            const unsigned words[] = {pixels.x, pixels.y, pixels.z, pixels.w};
#pragma unroll
            for (int i = 0; i < vector_pixels; ++i) {
                const unsigned level = words[i / 4] >> (8 * (i % 4)) & 0xff;
                if (i < here.pixels) atomicAdd(&counts[level], Count{1});
            }
        });
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);
    }
}

static __global__ void __launch_bounds__(1024)
    look_up_in_vectors(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                       const std::uint8_t* table) {
    __shared__ std::uint8_t values[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) values[i] = table[i];
    __syncthreads();
    const auto look_up_four = [&](unsigned pixels) -> unsigned {
        return values[pixels & 0xff] | values[pixels >> 8 & 0xff] << 8 |
               values[pixels >> 16 & 0xff] << 16 | values[pixels >> 24] << 24;
    };
    for_each_vector(
        in.width, in.height, [=](const Vector& here) { return load(in, here); },
        [&](const Vector& here, const uint4& pixels) {
            const uint4 result{look_up_four(pixels.x), look_up_four(pixels.y),
                               look_up_four(pixels.z), look_up_four(pixels.w)};
            store(out, here, result);
        });
}

void cuda_vectors(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Tables tables(*options.scratch, stream);
    const unsigned blocks = vector_blocks(in, block);
    count_vectors_in_shared<<<blocks, threads_of(block), 0, stream>>>(in, tables.histogram);
    common::check_launch();
    make_table<<<1, levels, 0, stream>>>(tables.histogram, tables.table);
    common::check_launch();
    look_up_in_vectors<<<blocks, threads_of(block), 0, stream>>>(in, out, tables.table);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_vectors",
     .backend = common::Backend::cuda,
     .idea = "16 pixels per load and store, two loads on their way per thread"},
    cuda_vectors};

}  // namespace equalize
