#pragma once

// The part of a job that the file of an mpi variant sees besides its rows.

#include <mpi.h>

namespace common {

/// The ranks that share an image. The image is cut into blocks of consecutive rows, one for each
/// rank, from the top down. A rank without rows takes no part, and every other rank has at least as
/// many rows as its neighbours need of it.
struct Ranks {
    MPI_Comm comm;     ///< of these ranks only
    int rank;          ///< of this process in `comm`
    int count;         ///< of ranks in `comm`
    int first_row;     ///< position in the image of this rank's first row
    int image_height;  ///< rows of all ranks together

    /// The neighbours, or MPI_PROC_NULL at the edge of the image: a message to or from
    /// MPI_PROC_NULL does nothing.
    int above() const { return rank > 0 ? rank - 1 : MPI_PROC_NULL; }
    int below() const { return rank + 1 < count ? rank + 1 : MPI_PROC_NULL; }
};

}  // namespace common
