// Host to host. The CUDA variants before are bound by the transfers between pageable memory and the
// GPU, which the driver stages. Here the image goes through the GPU in chunks of rows, and copies
// and kernels overlap (asynchronous copies):
//
//     CPU         stage 1 | stage 2 | stage 3 |                 | copy 1  | copy 2  | copy 3
//     to GPU              | chunk 1 | chunk 2 | chunk 3|
//     kernels                       | count 1 | count 2| count 3 | table, look up 1, 2, 3
//     from GPU                                                      | chunk 1 | chunk 2 | chunk 3
//
// CPU threads copy each chunk to page-locked memory (staging), from where the GPU fetches it.
// Chunks alternate between two streams; in one stream a transfer would wait for the count before
// it. The first call makes memory, streams and events; later calls reuse them. One page-locked
// image and one on the GPU serve both directions, because no chunk comes back before the last has
// gone.
//
// Bound by the CPU's copies of the image in and out, or by the bus if that is slower.

#include <algorithm>

#include "common/scratch.hpp"
#include "problem/lookup.cuh"
#include "problem/variant.hpp"
#include "staging.hpp"

namespace equalize {

using common::DeviceView;
using common::ImageView;

static constexpr int streams = 2;
static constexpr int most_chunks = 16;
static constexpr std::ptrdiff_t least_bytes = 256 * 1024;  // per chunk: latency bounds smaller ones

/// Each row of the image takes `pitch` bytes.
static Chunks chunks_of(int height, std::ptrdiff_t pitch) {
    const std::ptrdiff_t for_bytes = (least_bytes + pitch - 1) / pitch;
    const std::ptrdiff_t for_count = (std::ptrdiff_t{height} + most_chunks - 1) / most_chunks;
    return {height,
            static_cast<int>(std::min<std::ptrdiff_t>(std::max(for_bytes, for_count), height))};
}

/// The rows of one chunk of an image.
template <class View>
static View chunk_of(View image, const Chunks& chunks, int chunk) {
    image.data += chunks.first_row(chunk) * image.pitch;
    image.height = chunks.rows_of(chunk);
    return image;
}

template <common::Memory Where>
static common::View<const std::uint8_t, Where> read_only(common::View<std::uint8_t, Where> view) {
    return {view.data, view.width, view.height, view.channels, view.pitch};
}

/// As in cuda_shared_atomics.
static __global__ void __launch_bounds__(1024)
    count_in_shared(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    for_each_pixel(in, [&](std::uint8_t level) { atomicAdd(&counts[level], Count{1}); });
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);
    }
}

/// Makes `later` wait for all work that `earlier` has now.
static void wait_for(cudaStream_t later, cudaStream_t earlier, cudaEvent_t event) {
    common::check(cudaEventRecord(event, earlier));
    common::check(cudaStreamWaitEvent(later, event, 0));
}

void cuda_streamed(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                   const Options& options) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const std::ptrdiff_t pitch = (std::ptrdiff_t{in.width} + word - 1) / word * word;
    const std::size_t bytes = in.height * pitch;
    const Chunks chunks = chunks_of(in.height, pitch);
    common::Scratch& scratch = *options.scratch;
    const cudaStream_t stream[streams] = {scratch.stream(0), scratch.stream(1)};
    const Tables tables(scratch, stream[0]);
    const ImageView<std::uint8_t> staged{static_cast<std::uint8_t*>(scratch.pinned(0, bytes)),
                                         in.width, in.height, 1, pitch};
    const DeviceView<std::uint8_t> data{static_cast<std::uint8_t*>(scratch.get(2, bytes)), in.width,
                                        in.height, 1, pitch};
    wait_for(stream[1], stream[0], scratch.event(0));  // until the histogram is zero

    const auto arrived = [&](int chunk) { return scratch.event(2 + chunk); };
    const auto count = [&](int chunk) {
        const cudaStream_t mine = stream[chunk % streams];
        const auto here = chunk_of(staged, chunks, chunk);
        const auto there = chunk_of(data, chunks, chunk);
        common::check(cudaMemcpyAsync(there.data, here.data, here.height * pitch,
                                      cudaMemcpyHostToDevice, mine));
        count_in_shared<<<row_blocks(there.height, block), threads_of(block), 0, mine>>>(
            read_only(there), tables.histogram);
        common::check_launch();
    };
    const auto look_up_all = [&] {
        wait_for(stream[0], stream[1], scratch.event(0));  // until all chunks are counted
        make_table<<<1, levels, 0, stream[0]>>>(tables.histogram, tables.table);
        common::check_launch();
        wait_for(stream[1], stream[0], scratch.event(1));
        for (int chunk = 0; chunk < chunks.count(); ++chunk) {
            const cudaStream_t mine = stream[chunk % streams];
            const auto here = chunk_of(staged, chunks, chunk);
            const auto there = chunk_of(data, chunks, chunk);
            look_up<<<row_blocks(there.height, block), threads_of(block), 0, mine>>>(
                read_only(there), there, tables.table);
            common::check_launch();
            common::check(cudaMemcpyAsync(here.data, there.data, here.height * pitch,
                                          cudaMemcpyDeviceToHost, mine));
            common::check(cudaEventRecord(arrived(chunk), mine));
        }
    };
    const auto wait = [&](int chunk) { common::check(cudaEventSynchronize(arrived(chunk))); };
    copy_through(staged, in, out, chunks, options.threads,
                 {.staged = count, .all_staged = look_up_all, .wait_for = wait});
}

static const Register registered{
    {.name = "cuda_streamed",
     .backend = common::Backend::cuda,
     .idea = "host to host in chunks: transfers, kernels and staging overlap",
     .on_device = true},
    cuda_streamed};

}  // namespace equalize
