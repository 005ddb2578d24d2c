// Task G. Integral images in several processes (ranks), each with a block of rows in its own
// memory.
//
// Given: docs/mpi.md, "What a variant sees". Wanted: each rank makes the sums of its own rows, and
// adds what the ranks above it have.
//
// Predicted: …
// Measured: …

#include <vector>

#include "common/error.hpp"
#include "common/ranks.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;
using common::Ranks;

/// The type of `Sum` for MPI.
[[maybe_unused]] static MPI_Datatype mpi_type(Sum32) {
    return MPI_INT32_T;
}
[[maybe_unused]] static MPI_Datatype mpi_type(Sum64) {
    return MPI_INT64_T;
}

template <class Sum>
static void mpi_scan(ImageView<Pixel> /*in*/, ImageView<Sum> /*sums*/, const Options& /*options*/,
                     const Ranks& /*ranks*/) {
    throw common::NotDoneYet();
}

static const Register registered{{.name = "mpi_scan",
                                  .backend = common::Backend::mpi,
                                  .idea = "task G: blocks of rows in processes"},
                                 Cost::linear,
                                 mpi_scan<Sum32>,
                                 mpi_scan<Sum64>};

}  // namespace integral
