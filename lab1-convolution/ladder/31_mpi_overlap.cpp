// mpi_rows computes nothing while messages travel. Here MPI_Isend and MPI_Irecv only start the
// messages, and return at once. The interior, the rows whose windows lie in the rank's own block,
// needs no message and is computed meanwhile. MPI_Waitall waits for what has not arrived, and the
// first and last k rows follow.
//
// Only the thread that started MPI calls its functions, outside of parallel regions
// (MPI_THREAD_FUNNELED).
//
// A started message makes progress when the network card or another thread moves it, or in the next
// call of an MPI function. Where only the last is true, large messages travel in MPI_Waitall and
// nothing is hidden.

#include <algorithm>

#include "common/ranks.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;
using common::Ranks;

static void convolve_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                          const Options& options, int begin, int end) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = begin; y < end; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = -k; i <= k; ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

void mpi_overlap(ImageView<std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options,
                 const Ranks& ranks) {
    const int k = options.mask.radius();
    const int bytes = k * static_cast<int>(in.row_length());
    std::uint8_t* const above = in.row(-k);
    std::uint8_t* const below = in.row(in.height);
    enum Tag { up, down };
    MPI_Request messages[4];
    MPI_Irecv(above, bytes, MPI_BYTE, ranks.above(), down, ranks.comm, &messages[0]);
    MPI_Irecv(below, bytes, MPI_BYTE, ranks.below(), up, ranks.comm, &messages[1]);
    MPI_Isend(in.row(0), bytes, MPI_BYTE, ranks.above(), up, ranks.comm, &messages[2]);
    MPI_Isend(in.row(in.height - k), bytes, MPI_BYTE, ranks.below(), down, ranks.comm,
              &messages[3]);
    if (ranks.above() == MPI_PROC_NULL) std::fill_n(above, bytes, std::uint8_t{0});
    if (ranks.below() == MPI_PROC_NULL) std::fill_n(below, bytes, std::uint8_t{0});

    const ImageView<const std::uint8_t> pixels{in.data, in.width, in.height, in.channels, in.pitch};
    const int top = std::min(k, in.height);           // rows [0, top) need the halo above,
    const int bottom = std::max(in.height - k, top);  // rows [bottom, height) the one below
    convolve_rows(pixels, out, options, top, bottom);
    MPI_Waitall(4, messages, MPI_STATUSES_IGNORE);
    convolve_rows(pixels, out, options, 0, top);
    convolve_rows(pixels, out, options, bottom, in.height);
}

static const Register registered{{.name = "mpi_overlap",
                                  .backend = common::Backend::mpi,
                                  .idea = "the interior is computed while the halos travel"},
                                 mpi_overlap,
                                 halo_rows};

}  // namespace convolution
