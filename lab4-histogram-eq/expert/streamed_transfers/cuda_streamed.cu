// Host to host: the picture goes through the GPU in pieces, so that several things happen at once.
// While the GPU fetches one piece and counts it, the CPU puts the next one where the GPU can fetch
// it from: into page-locked memory, which the operating system may not move. When all pieces are
// counted the table is made, and they come back in the same way.
//
//     CPU         copy 1 | copy 2 | copy 3 |                  | copy 1 | copy 2 | copy 3
//     to GPU             | piece 1| piece 2| piece 3|
//     kernels                     | count 1| count 2| count 3 | table, look up 1, 2, 3
//     from GPU                                                     | piece 1| piece 2| piece 3
//
// Pieces alternate between two streams; in one stream a copy would wait for the count before it.
// Memory, streams and events are made in the first call and used in all later ones. One page-locked
// image and one on the GPU serve both ways: nothing comes back before the last piece has gone.
//
// Against the other CUDA variants with the harness's transfers: copies overlap with each other and
// with kernels; no copy of the GPU is from or to pageable memory, which the driver would have to
// stage; and the CPU copies with all its threads. Bound by its copying, the picture in and out
// once, or by the bus if that is slower.
//
// Comes to 0.76 ms for 3072x4096 with 16 CPU threads and an NVIDIA H200: half of what the fastest
// kernels take with transfers from and to pageable memory.

#include <algorithm>

#include "common/scratch.hpp"
#include "problem/lookup.cuh"
#include "problem/shared_histogram.cuh"
#include "problem/variant.hpp"
#include "staging.hpp"

namespace equalize {

using common::DeviceView;
using common::ImageView;

static constexpr int streams = 2;
static constexpr int most_pieces = 16;
static constexpr std::ptrdiff_t least_bytes = 256 * 1024;  // of a piece: less is mostly latency

/// An image in pieces of whole rows, each row padded to a whole number of words.
struct Pieces {
    int width, height;
    std::ptrdiff_t pitch;
    int rows;  ///< of each piece but the last

    explicit Pieces(ImageView<const std::uint8_t> in)
        : width(in.width),
          height(in.height),
          pitch((std::ptrdiff_t{in.width} + word - 1) / word * word) {
        const std::ptrdiff_t for_bytes = (least_bytes + pitch - 1) / pitch;
        const std::ptrdiff_t for_count = (std::ptrdiff_t{height} + most_pieces - 1) / most_pieces;
        rows = static_cast<int>(std::min<std::ptrdiff_t>(std::max(for_bytes, for_count), height));
    }

    int count() const { return (height - 1) / rows + 1; }
    int first_row(int piece) const { return piece * rows; }
    int rows_of(int piece) const { return std::min(rows, height - first_row(piece)); }
    std::size_t bytes_of(int piece) const {
        return static_cast<std::size_t>(rows_of(piece) * pitch);
    }
    std::size_t bytes() const { return static_cast<std::size_t>(height * pitch); }
};

/// Of an image, the rows of one piece.
template <class View>
static View part(View image, const Pieces& pieces, int piece) {
    image.data += pieces.first_row(piece) * image.pitch;
    image.height = pieces.rows_of(piece);
    return image;
}

template <common::Memory Where>
static common::View<const std::uint8_t, Where> read_only(common::View<std::uint8_t, Where> view) {
    return {view.data, view.width, view.height, view.channels, view.pitch};
}

/// Makes `later` wait for all that is in `earlier` by now.
static void wait_for(cudaStream_t later, cudaStream_t earlier, cudaEvent_t event) {
    common::check(cudaEventRecord(event, earlier));
    common::check(cudaStreamWaitEvent(later, event, 0));
}

void cuda_streamed(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                   const Options& options) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Pieces pieces(in);
    common::Scratch& scratch = *options.scratch;
    const cudaStream_t stream[streams] = {scratch.stream(0), scratch.stream(1)};
    const Tables tables(scratch, stream[0]);
    const ImageView<std::uint8_t> staged{
        static_cast<std::uint8_t*>(scratch.pinned(0, pieces.bytes())), in.width, in.height, 1,
        pieces.pitch};
    const DeviceView<std::uint8_t> data{static_cast<std::uint8_t*>(scratch.get(2, pieces.bytes())),
                                        in.width, in.height, 1, pieces.pitch};
    wait_for(stream[1], stream[0], scratch.event(0));  // for the histogram to be zero

    for (int piece = 0; piece < pieces.count(); ++piece) {
        const cudaStream_t mine = stream[piece % streams];
        const auto here = part(staged, pieces, piece);
        const auto there = part(data, pieces, piece);
        copy_rows(part(in, pieces, piece), here, options.threads);
        common::check(cudaMemcpyAsync(there.data, here.data, pieces.bytes_of(piece),
                                      cudaMemcpyHostToDevice, mine));
        count_in_shared<<<row_blocks(there.height, block), threads_of(block), 0, mine>>>(
            read_only(there), tables.histogram);
        common::check_launch();
    }

    wait_for(stream[0], stream[1], scratch.event(0));  // for all pieces to be counted
    make_table<<<1, levels, 0, stream[0]>>>(tables.histogram, tables.table);
    common::check_launch();
    wait_for(stream[1], stream[0], scratch.event(1));

    const auto arrived = [&](int piece) {
        return scratch.event(2 + static_cast<std::size_t>(piece));
    };
    for (int piece = 0; piece < pieces.count(); ++piece) {
        const cudaStream_t mine = stream[piece % streams];
        const auto here = part(staged, pieces, piece);
        const auto there = part(data, pieces, piece);
        look_up<<<row_blocks(there.height, block), threads_of(block), 0, mine>>>(
            read_only(there), there, tables.table);
        common::check_launch();
        common::check(cudaMemcpyAsync(here.data, there.data, pieces.bytes_of(piece),
                                      cudaMemcpyDeviceToHost, mine));
        common::check(cudaEventRecord(arrived(piece), mine));
    }
    for (int piece = 0; piece < pieces.count(); ++piece) {
        common::check(cudaEventSynchronize(arrived(piece)));
        copy_rows(read_only(part(staged, pieces, piece)), part(out, pieces, piece),
                  options.threads);
    }
}

static const Register registered{{.name = "cuda_streamed",
                                  .backend = common::Backend::cuda,
                                  .idea = "host to host in pieces: copies and kernels overlap",
                                  .on_device = true},
                                 cuda_streamed};

}  // namespace equalize
