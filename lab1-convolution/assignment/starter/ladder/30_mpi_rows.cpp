// Task G. The loops of seq in several processes (ranks), each with a block of rows in its own
// memory.
//
// Given: docs/mpi.md, "What a variant sees". Wanted: the rows that windows need of the neighbouring
// blocks are exchanged, then each rank computes its rows.
//
// Predicted: …
// Measured: …

#include <algorithm>

#include "common/error.hpp"
#include "common/ranks.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;
using common::Ranks;

void mpi_rows([[maybe_unused]] ImageView<std::uint8_t> in,
              [[maybe_unused]] ImageView<std::uint8_t> out, [[maybe_unused]] const Options& options,
              [[maybe_unused]] const Ranks& ranks) {
    throw common::NotDoneYet();
}

static const Register registered{{.name = "mpi_rows",
                                  .backend = common::Backend::mpi,
                                  .idea = "blocks of rows in processes, halo exchange"},
                                 mpi_rows,
                                 halo_rows};

}  // namespace convolution
