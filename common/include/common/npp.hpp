#pragma once

// Calling NPP, NVIDIA's library for images.

#include <nppdefs.h>

#include <string>

#include "common/cuda.cuh"

namespace common {

/// NPP 13 keeps no stream of its own; its callers describe device and stream in a structure.
inline NppStreamContext npp_context(cudaStream_t stream) {
    NppStreamContext context{};
    context.hStream = stream;
    check(cudaGetDevice(&context.nCudaDeviceId));
    context.nMultiProcessorCount = device_attribute(cudaDevAttrMultiProcessorCount);
    context.nMaxThreadsPerMultiProcessor = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    context.nMaxThreadsPerBlock = device_attribute(cudaDevAttrMaxThreadsPerBlock);
    context.nSharedMemPerBlock =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    context.nCudaDevAttrComputeCapabilityMajor =
        device_attribute(cudaDevAttrComputeCapabilityMajor);
    context.nCudaDevAttrComputeCapabilityMinor =
        device_attribute(cudaDevAttrComputeCapabilityMinor);
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
