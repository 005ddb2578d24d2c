// Message passing: every process (rank) has a block of rows in its own memory. The table needs the
// histogram of the whole image: MPI_Iallreduce adds up the histograms of all ranks, and gives every
// rank the sum. These are 1 KiB per rank, whatever the size of the image.
//
// The I stands for "immediate": it only starts the reduction. Each rank counts the first half of
// its rows, starts to add up, and counts the second half meanwhile. Only the second reduction is
// waited for. Then every rank computes the same table by itself, which costs less than to send it.
//
// Bound as omp_rows is. The latency of the second reduction, some microseconds, is what small
// images show.

#include "common/ranks.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;
using common::Ranks;

static Histogram count_rows(ImageView<std::uint8_t> in, int begin, int end, int threads) {
    Histogram histogram{};
    Count* counts = histogram.data();
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : counts[:levels])
    for (int y = begin; y < end; ++y) {
        for (int x = 0; x < in.width; ++x) ++counts[in.at(x, y)];
    }
    return histogram;
}

void mpi_reduce(ImageView<std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options,
                const Ranks& ranks) {
    Histogram first = count_rows(in, 0, in.height / 2, options.threads);
    MPI_Request sums[2];
    MPI_Iallreduce(MPI_IN_PLACE, first.data(), levels, MPI_UINT32_T, MPI_SUM, ranks.comm, &sums[0]);
    Histogram second = count_rows(in, in.height / 2, in.height, options.threads);
    MPI_Iallreduce(MPI_IN_PLACE, second.data(), levels, MPI_UINT32_T, MPI_SUM, ranks.comm,
                   &sums[1]);
    MPI_Waitall(2, sums, MPI_STATUSES_IGNORE);

    for (std::size_t level = 0; level < levels; ++level) first[level] += second[level];
    const Table table = table_from_histogram(first);
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out, table)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "mpi_reduce",
     .backend = common::Backend::mpi,
     .idea = "blocks of rows in processes; MPI_Iallreduce adds up the histograms"},
    mpi_reduce};

}  // namespace equalize
