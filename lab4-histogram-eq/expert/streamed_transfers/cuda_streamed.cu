// Host to host. The CUDA variants before are bound by the transfers between pageable memory and the
// GPU, which the driver stages. Here the image goes through the GPU in chunks of rows, and copies
// and kernels overlap (asynchronous copies):
//
//     CPU         stage 1 | stage 2 | stage 3 |                 | copy 1  | copy 2  | copy 3
//     to GPU              | chunk 1 | chunk 2 | chunk 3|
//     kernels                       | count 1 | count 2| count 3 | table, look up 1, 2, 3
//     from GPU                                                      | chunk 1 | chunk 2 | chunk 3
//
// The CPU copies each chunk to page-locked memory (staging), from where the GPU fetches it. Chunks
// alternate between two streams; in one stream a transfer would wait for the count before it. The
// first call makes memory, streams and events; later calls reuse them. One page-locked image and
// one on the GPU serve both directions, because no chunk comes back before the last has gone.
//
// Bound by the CPU's copies of the image in and out, or by the bus if that is slower.
//
// Measured: 0.85 to 0.90 ms for the pictures of 3072x4096 with 16 CPU threads and an NVIDIA H200
// (`limit`); `cuda_best` takes 2.5 to 2.9 ms from and to pageable memory.

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

/// An image in chunks of whole rows, each row padded to whole words.
struct Chunks {
    int width, height;
    std::ptrdiff_t pitch;
    int rows;  ///< of each chunk but the last

    explicit Chunks(ImageView<const std::uint8_t> in)
        : width(in.width),
          height(in.height),
          pitch((std::ptrdiff_t{in.width} + word - 1) / word * word) {
        const std::ptrdiff_t for_bytes = (least_bytes + pitch - 1) / pitch;
        const std::ptrdiff_t for_count = (std::ptrdiff_t{height} + most_chunks - 1) / most_chunks;
        rows = std::min<std::ptrdiff_t>(std::max(for_bytes, for_count), height);
    }

    int count() const { return (height - 1) / rows + 1; }
    int first_row(int chunk) const { return chunk * rows; }
    int rows_of(int chunk) const { return std::min(rows, height - first_row(chunk)); }
    std::size_t bytes_of(int chunk) const { return rows_of(chunk) * pitch; }
    std::size_t bytes() const { return height * pitch; }
};

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
    const Chunks chunks(in);
    common::Scratch& scratch = *options.scratch;
    const cudaStream_t stream[streams] = {scratch.stream(0), scratch.stream(1)};
    const Tables tables(scratch, stream[0]);
    const ImageView<std::uint8_t> staged{
        static_cast<std::uint8_t*>(scratch.pinned(0, chunks.bytes())), in.width, in.height, 1,
        chunks.pitch};
    const DeviceView<std::uint8_t> data{static_cast<std::uint8_t*>(scratch.get(2, chunks.bytes())),
                                        in.width, in.height, 1, chunks.pitch};
    wait_for(stream[1], stream[0], scratch.event(0));  // until the histogram is zero

    for (int chunk = 0; chunk < chunks.count(); ++chunk) {
        const cudaStream_t mine = stream[chunk % streams];
        const auto here = chunk_of(staged, chunks, chunk);
        const auto there = chunk_of(data, chunks, chunk);
        copy_rows(chunk_of(in, chunks, chunk), here, options.threads);
        common::check(cudaMemcpyAsync(there.data, here.data, chunks.bytes_of(chunk),
                                      cudaMemcpyHostToDevice, mine));
        count_in_shared<<<row_blocks(there.height, block), threads_of(block), 0, mine>>>(
            read_only(there), tables.histogram);
        common::check_launch();
    }

    wait_for(stream[0], stream[1], scratch.event(0));  // until all chunks are counted
    make_table<<<1, levels, 0, stream[0]>>>(tables.histogram, tables.table);
    common::check_launch();
    wait_for(stream[1], stream[0], scratch.event(1));

    const auto arrived = [&](int chunk) { return scratch.event(2 + chunk); };
    for (int chunk = 0; chunk < chunks.count(); ++chunk) {
        const cudaStream_t mine = stream[chunk % streams];
        const auto here = chunk_of(staged, chunks, chunk);
        const auto there = chunk_of(data, chunks, chunk);
        look_up<<<row_blocks(there.height, block), threads_of(block), 0, mine>>>(
            read_only(there), there, tables.table);
        common::check_launch();
        common::check(cudaMemcpyAsync(here.data, there.data, chunks.bytes_of(chunk),
                                      cudaMemcpyDeviceToHost, mine));
        common::check(cudaEventRecord(arrived(chunk), mine));
    }
    for (int chunk = 0; chunk < chunks.count(); ++chunk) {
        common::check(cudaEventSynchronize(arrived(chunk)));
        copy_rows(read_only(chunk_of(staged, chunks, chunk)), chunk_of(out, chunks, chunk),
                  options.threads);
    }
}

static const Register registered{
    {.name = "cuda_streamed",
     .backend = common::Backend::cuda,
     .idea = "host to host in chunks: transfers, kernels and staging overlap",
     .on_device = true},
    cuda_streamed};

}  // namespace equalize
