#pragma once

// Messages between ranks whose rows are in GPU memory.

#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <cstdint>

#include "common/cuda.cuh"
#include "common/ranks.hpp"
#include "common/scratch.hpp"
#include "common/view.hpp"

namespace common {

/// True if MPI functions take pointers to GPU memory (CUDA-aware MPI).
inline bool mpi_takes_gpu_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

/// Sends the first `rows` rows up and the last ones down, and receives those of the neighbours into
/// the room above and below. From GPU memory to GPU memory if MPI can, otherwise through
/// page-locked memory. Work that is launched to `stream` later finds the rows there.
inline void exchange_halos(DeviceView<std::uint8_t> in, int rows, const Ranks& ranks,
                           Scratch& scratch, cudaStream_t stream) {
    const auto bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(in.pitch);
    const auto count = static_cast<int>(bytes);
    std::uint8_t* first = in.row(0);
    std::uint8_t* last = in.row(in.height - rows);
    std::uint8_t* above = in.row(-rows);
    std::uint8_t* below = in.row(in.height);
    const bool staged = !mpi_takes_gpu_memory();
    if (staged) {
        auto* host = static_cast<std::uint8_t*>(scratch.pinned(0, 4 * bytes));
        check(cudaMemcpyAsync(host, first, bytes, cudaMemcpyDeviceToHost, stream));
        check(cudaMemcpyAsync(host + bytes, last, bytes, cudaMemcpyDeviceToHost, stream));
        first = host;
        last = host + bytes;
        above = host + 2 * bytes;
        below = host + 3 * bytes;
    }
    check(cudaStreamSynchronize(stream));  // MPI knows no streams
    enum Tag { up, down };
    MPI_Sendrecv(first, count, MPI_BYTE, ranks.above(), up, below, count, MPI_BYTE, ranks.below(),
                 up, ranks.comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, count, MPI_BYTE, ranks.below(), down, above, count, MPI_BYTE, ranks.above(),
                 down, ranks.comm, MPI_STATUS_IGNORE);
    if (!staged) return;
    if (ranks.above() != MPI_PROC_NULL) {
        check(cudaMemcpyAsync(in.row(-rows), above, bytes, cudaMemcpyHostToDevice, stream));
    }
    if (ranks.below() != MPI_PROC_NULL) {
        check(cudaMemcpyAsync(in.row(in.height), below, bytes, cudaMemcpyHostToDevice, stream));
    }
}

}  // namespace common
