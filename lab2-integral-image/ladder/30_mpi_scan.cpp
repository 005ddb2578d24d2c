// Message passing: every process (rank) has a block of rows in its own memory. A sum reaches up to
// the first row of the image, so nearly every rank needs something of all ranks above it. It is one
// row, not all pixels:
//
//   1. each rank makes the integral image of its own rows, as seq_scan does;
//   2. the last row of it has, in column x, the sum of the block's pixels up to column x.
//   MPI_Exscan
//      adds up these rows over the ranks above (a prefix sum over processes, exclusive: without the
//      rank's own);
//   3. each rank adds this row to all of its rows. OpenMP threads share them.
//
// omp_scan has the same steps between threads. There a thread reads what another has written; here
// the row travels, `width` sums per rank, in about log2(ranks) steps.
//
// Bound by memory bandwidth: step 3 reads and writes every sum again.

#include <vector>

#include "common/ranks.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;
using common::Ranks;

static MPI_Datatype mpi_type(Sum32) {
    return MPI_INT32_T;
}
static MPI_Datatype mpi_type(Sum64) {
    return MPI_INT64_T;
}

/// The integral image of the rank's own rows.
template <class Sum>
static void scan_own_rows(ImageView<Pixel> in, ImageView<Sum> sums) {
    for (int y = 0; y < in.height; ++y) {
        const Pixel* pixels = in.row(y);
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        Sum* row = sums.row(y);
        Sum along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += pixels[x];
            row[x] = along_row + (above != nullptr ? above[x] : 0);
        }
    }
}

template <class Sum>
static void mpi_scan(ImageView<Pixel> in, ImageView<Sum> sums, const Options& options,
                     const Ranks& ranks) {
    scan_own_rows(in, sums);
    std::vector<Sum> above(static_cast<std::size_t>(in.width));
    MPI_Exscan(sums.row(sums.height - 1), above.data(), in.width, mpi_type(Sum{}), MPI_SUM,
               ranks.comm);
    if (ranks.rank == 0) return;  // nothing is above, and MPI_Exscan gives rank 0 no result
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < sums.height; ++y) {
        Sum* row = sums.row(y);
        for (int x = 0; x < sums.width; ++x) row[x] += above[static_cast<std::size_t>(x)];
    }
}

static const Register registered{
    {.name = "mpi_scan",
     .backend = common::Backend::mpi,
     .idea = "blocks of rows in processes; MPI_Exscan adds up their last rows"},
    Cost::linear,
    mpi_scan<Sum32>,
    mpi_scan<Sum64>};

}  // namespace integral
