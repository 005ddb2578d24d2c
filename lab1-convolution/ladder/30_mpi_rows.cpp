// Message passing: every process (rank) has a block of rows in its own memory. No rank can read the
// memory of another, so the rows that windows need of the neighbouring blocks, the halo, are sent
// as messages before the work begins.
//
//         rank 0  [ own rows            ]
//                 [ last k rows ]--------- down --------.
//                 ( room for k rows )<-. up             |
//                                      |                v
//         rank 1                       |     ( room for k rows )
//                                      '----[ first k rows ]
//                                           [ own rows            ]
//
// Each rank sends k rows up and k rows down, however many rows it has: the larger the blocks, the
// smaller the share of communication. MPI_Sendrecv sends and receives at the same time. Two ranks
// that each began with MPI_Send to the other could wait for each other for ever (deadlock).
//
// Inside a rank, OpenMP threads share the rows (hybrid): few ranks with many threads exchange less
// than many ranks with one thread each. Bound as omp_rows is.

#include <algorithm>

#include "common/ranks.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;
using common::Ranks;

/// Fills the k rows above the first and the k rows below the last: with rows of the neighbours, or,
/// at the edge of the image, with zeros.
static void exchange_halos(ImageView<std::uint8_t> in, int k, const Ranks& ranks) {
    const int bytes = k * static_cast<int>(in.row_length());
    std::uint8_t* const above = in.row(-k);
    std::uint8_t* const below = in.row(in.height);
    std::uint8_t* const last = in.row(in.height - k);  // the last k own rows
    enum Tag { up, down };
    MPI_Sendrecv(in.row(0), bytes, MPI_BYTE, ranks.above(), up,  // the first k rows go up,
                 below, bytes, MPI_BYTE, ranks.below(), up,      // those of the rank below come
                 ranks.comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, bytes, MPI_BYTE, ranks.below(), down, above, bytes, MPI_BYTE, ranks.above(),
                 down, ranks.comm, MPI_STATUS_IGNORE);
    if (ranks.above() == MPI_PROC_NULL) std::fill_n(above, bytes, std::uint8_t{0});
    if (ranks.below() == MPI_PROC_NULL) std::fill_n(below, bytes, std::uint8_t{0});
}

void mpi_rows(ImageView<std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options,
              const Ranks& ranks) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
    exchange_halos(in, k, ranks);
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = -k; i <= k; ++i) {  // every row of the window is here now
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

static const Register registered{{.name = "mpi_rows",
                                  .backend = common::Backend::mpi,
                                  .idea = "blocks of rows in processes, blocking halo exchange"},
                                 mpi_rows,
                                 halo_rows};

}  // namespace convolution
