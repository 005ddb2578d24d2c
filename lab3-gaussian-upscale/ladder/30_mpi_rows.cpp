// Message passing: every process (rank) has a block of source rows in its own memory, and computes
// twice as many output rows. The taps of the first and last output rows lie in the blocks of the
// neighbours. These source rows, the halo, are sent as messages before the work begins: `radius`
// rows up and `radius` rows down, however many rows a rank has.
//
// Coordinates are clamped at the edges of the image only. The first rank fills the room above its
// rows with copies of its first row, and the last rank the room below, so the loops need no case
// for them and no rank has to know where in the image it is.
//
// Bound as seq is, on as many cores as there are ranks; OpenMP threads share the rows of a rank.

#include <algorithm>

#include "common/ranks.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;
using common::Ranks;

static void exchange_halos(ImageView<std::uint8_t> in, int radius, const Ranks& ranks) {
    const int bytes = radius * static_cast<int>(in.row_length());
    enum Tag { up, down };
    MPI_Sendrecv(in.row(0), bytes, MPI_BYTE, ranks.above(), up, in.row(in.height), bytes, MPI_BYTE,
                 ranks.below(), up, ranks.comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(in.row(in.height - radius), bytes, MPI_BYTE, ranks.below(), down, in.row(-radius),
                 bytes, MPI_BYTE, ranks.above(), down, ranks.comm, MPI_STATUS_IGNORE);
    for (int i = 1; i <= radius; ++i) {
        if (ranks.above() == MPI_PROC_NULL) {
            std::copy_n(in.row(0), in.row_length(), in.row(-i));
        }
        if (ranks.below() == MPI_PROC_NULL) {
            std::copy_n(in.row(in.height - 1), in.row_length(), in.row(in.height - 1 + i));
        }
    }
}

void mpi_rows(ImageView<std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options,
              const Ranks& ranks) {
    const Weights& weights = options.weights;
    exchange_halos(in, weights.radius, ranks);
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int Y = 0; Y < out.height; ++Y) {
        for (int X = 0; X < out.width; ++X) {
            for (int c = 0; c < out.channels; ++c) {
                float sum = 0;
                for (int j = -weights.radius; j <= weights.radius; ++j) {
                    const int y = Y / 2 + j * direction(Y);  // may be a row of the halo
                    float row = 0;
                    for (int i = -weights.radius; i <= weights.radius; ++i) {
                        const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);
                        row += static_cast<float>(in.at(x, y, c)) * weights.at(i);
                    }
                    sum += row * weights.at(j);
                }
                out.at(X, Y, c) = to_pixel(sum);
            }
        }
    }
}

static const Register registered{{.name = "mpi_rows",
                                  .backend = common::Backend::mpi,
                                  .idea = "blocks of rows in processes, blocking halo exchange"},
                                 mpi_rows,
                                 halo_rows,
                                 Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale
