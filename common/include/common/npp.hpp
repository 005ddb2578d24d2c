#pragma once

// What a peer needs to call NPP.

#include <nppdefs.h>

#include <string>

#include "common/cuda.cuh"

namespace common {

/// NPP 13 keeps no stream of its own; its callers describe device and stream in a structure.
inline NppStreamContext npp_context(cudaStream_t stream) {
    NppStreamContext context{};
    context.hStream = stream;
    check(cudaGetDevice(&context.nCudaDeviceId));
    const auto attribute = [&](cudaDeviceAttr which) {
        int value = 0;
        check(cudaDeviceGetAttribute(&value, which, context.nCudaDeviceId));
        return value;
    };
    context.nMultiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    context.nMaxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    context.nMaxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
    context.nSharedMemPerBlock =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    context.nCudaDevAttrComputeCapabilityMajor = attribute(cudaDevAttrComputeCapabilityMajor);
    context.nCudaDevAttrComputeCapabilityMinor = attribute(cudaDevAttrComputeCapabilityMinor);
    check(cudaStreamGetFlags(stream, &context.nStreamFlags));
    return context;
}

/// Throws Failed, naming the status and the place, unless the call succeeded.
inline void check(NppStatus status, std::source_location where = std::source_location::current()) {
    if (status == NPP_SUCCESS) return;
    throw Failed("NPP: status " + std::to_string(status) + " (line " +
                 std::to_string(where.line()) + ")");
}

}  // namespace common
