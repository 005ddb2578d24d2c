#pragma once

// Stands in for NCCL's header in builds with emulated kernels: a few of its functions, over MPI.
// Emulated work is done when it is asked for, so each function returns when its messages have
// arrived, those of a group at the end of the group.

#include <cuda_runtime.h>
#include <mpi.h>

#include <cstddef>
#include <vector>

enum ncclResult_t { ncclSuccess, ncclInvalidArgument };
enum ncclRedOp_t { ncclSum };
enum ncclDataType_t { ncclUint8, ncclInt32, ncclUint32, ncclInt64 };
using ncclComm_t = MPI_Comm;
struct ncclUniqueId {
    char internal[128];
};

namespace emulation {

inline MPI_Datatype mpi_type(ncclDataType_t type) {
    const MPI_Datatype types[] = {MPI_UINT8_T, MPI_INT32_T, MPI_UINT32_T, MPI_INT64_T};
    return types[type];
}

/// Tells the emulation that the host has written GPU memory.
inline void mark_received(void* data, std::size_t count, ncclDataType_t type, cudaStream_t stream) {
    int bytes = 0;
    MPI_Type_size(mpi_type(type), &bytes);
    cudaMemcpyAsync(data, data, count * static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice,
                    stream);
}

/// The messages of the group that has begun.
struct NcclGroup {
    struct Received {
        void* data;
        std::size_t count;
        ncclDataType_t type;
        cudaStream_t stream;
    };
    std::vector<MPI_Request> requests;
    std::vector<Received> received;
};
inline NcclGroup& nccl_group() {
    static NcclGroup group;
    return group;
}

}  // namespace emulation

inline const char* ncclGetErrorString(ncclResult_t) {
    return "an error";
}
inline ncclResult_t ncclGetUniqueId(ncclUniqueId*) {
    return ncclSuccess;
}

/// The ranks are the first of MPI_COMM_WORLD.
inline ncclResult_t ncclCommInitRank(ncclComm_t* comm, int count, ncclUniqueId, int) {
    MPI_Group world;
    MPI_Group first;
    int range[1][3] = {{0, count - 1, 1}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &first);
    MPI_Comm_create_group(MPI_COMM_WORLD, first, 0, comm);
    MPI_Group_free(&first);
    MPI_Group_free(&world);
    return ncclSuccess;
}

inline ncclResult_t ncclGroupStart() {
    return ncclSuccess;
}
inline ncclResult_t ncclGroupEnd() {
    emulation::NcclGroup& group = emulation::nccl_group();
    MPI_Waitall(static_cast<int>(group.requests.size()), group.requests.data(),
                MPI_STATUSES_IGNORE);
    for (const auto& [data, count, type, stream] : group.received) {
        emulation::mark_received(data, count, type, stream);
    }
    group = {};
    return ncclSuccess;
}

/// Only inside a group, as the next one.
inline ncclResult_t ncclSend(const void* data, std::size_t count, ncclDataType_t type, int to,
                             ncclComm_t comm, cudaStream_t) {
    MPI_Isend(data, static_cast<int>(count), emulation::mpi_type(type), to, 0, comm,
              &emulation::nccl_group().requests.emplace_back());
    return ncclSuccess;
}
inline ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t type, int from,
                             ncclComm_t comm, cudaStream_t stream) {
    emulation::nccl_group().received.push_back({data, count, type, stream});
    MPI_Irecv(data, static_cast<int>(count), emulation::mpi_type(type), from, 0, comm,
              &emulation::nccl_group().requests.emplace_back());
    return ncclSuccess;
}

inline ncclResult_t ncclAllReduce(const void* in, void* out, std::size_t count, ncclDataType_t type,
                                  ncclRedOp_t, ncclComm_t comm, cudaStream_t stream) {
    MPI_Allreduce(in, out, static_cast<int>(count), emulation::mpi_type(type), MPI_SUM, comm);
    emulation::mark_received(out, count, type, stream);
    return ncclSuccess;
}
inline ncclResult_t ncclAllGather(const void* in, void* out, std::size_t count, ncclDataType_t type,
                                  ncclComm_t comm, cudaStream_t stream) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    MPI_Allgather(in, static_cast<int>(count), emulation::mpi_type(type), out,
                  static_cast<int>(count), emulation::mpi_type(type), comm);
    emulation::mark_received(out, count * static_cast<std::size_t>(ranks), type, stream);
    return ncclSuccess;
}
