#pragma once

// NCCL, NVIDIA's library for messages from GPU memory to GPU memory. Its functions take a stream,
// as a launch does: the message travels after the work before it there, and the CPU does not wait.

#include <mpi.h>
#include <nccl.h>

#include <cstdint>
#include <map>
#include <string>

#include "common/cuda.cuh"
#include "common/ranks.hpp"
#include "common/scratch.hpp"
#include "common/view.hpp"

namespace common {

inline void check(ncclResult_t status) {
    if (status != ncclSuccess) throw Failed(std::string("NCCL: ") + ncclGetErrorString(status));
}

/// NCCL lets ranks wait for ever that share a GPU, so they are refused.
inline void require_own_gpu(const Ranks& ranks) {
    MPI_Comm machine;
    int here = 0;
    int gpus = 0;
    MPI_Comm_split_type(ranks.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    check(cudaGetDeviceCount(&gpus));
#if defined(LABS_EMULATED)
    gpus = here;
#endif
    if (here <= gpus) return;
    throw Unsupported("each rank needs a GPU of its own: " + std::to_string(here) + " ranks, " +
                      std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs"));
}

/// The communicator of these ranks; made in the first call, and kept until the process ends.
inline ncclComm_t nccl_comm(const Ranks& ranks) {
    static std::map<MPI_Comm, ncclComm_t> known;
    const auto [entry, is_new] = known.try_emplace(ranks.comm);
    if (entry->second != ncclComm_t{}) return entry->second;
    require_own_gpu(ranks);
    ncclUniqueId id{};
    if (ranks.rank == 0) check(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks.comm);
    check(ncclCommInitRank(&entry->second, ranks.count, id, ranks.rank));
    return entry->second;
}

/// Later work in `stream` waits for the work that is in `other` now.
inline void let_wait(cudaStream_t stream, cudaStream_t other, Scratch& scratch) {
    const cudaEvent_t event = scratch.event(0);
    check(cudaEventRecord(event, other));
    check(cudaStreamWaitEvent(stream, event, 0));
}

/// Sends the first `rows` rows up and the last ones down, and receives those of the neighbours into
/// the room above and below. The messages follow what is in `stream` now. Returns the stream in
/// which they travel: what is launched there finds the rows. Its blocks begin before those of
/// others.
inline cudaStream_t start_halos(DeviceView<std::uint8_t> in, int rows, const Ranks& ranks,
                                Scratch& scratch, cudaStream_t stream) {
    const ncclComm_t comm = nccl_comm(ranks);
    const cudaStream_t halos = scratch.stream(0, true);
    let_wait(halos, stream, scratch);
    const auto exchange = [&](int neighbour, const std::uint8_t* own, std::uint8_t* room) {
        const auto bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(in.pitch);
        if (neighbour == MPI_PROC_NULL || bytes == 0) return;
        check(ncclSend(own, bytes, ncclUint8, neighbour, comm, halos));
        check(ncclRecv(room, bytes, ncclUint8, neighbour, comm, halos));
    };
    check(ncclGroupStart());  // so that no rank waits before it has sent to both
    exchange(ranks.above(), in.row(0), in.row(-rows));
    exchange(ranks.below(), in.row(in.height - rows), in.row(in.height));
    check(ncclGroupEnd());
    return halos;
}

}  // namespace common
