#pragma once

// Clusters: blocks that run together and can write into each other's shared memory. GPUs have them
// from compute capability 9.0 on.

#include <cuda_runtime.h>

#include "common/cuda.cuh"
#include "common/ptx.cuh"

namespace common {

/// Starts `kernel` with a grid of `blocks` times `clusters` blocks; those of equal y form a
/// cluster. False, and nothing is started, if the GPU has no clusters of so many blocks, or the
/// kernel has been compiled for older GPUs only.
template <class... Parameters>
bool launch_clusters(void (*kernel)(Parameters...), int clusters, int blocks, int threads,
                     cudaStream_t stream, Parameters... arguments) {
    constexpr int portable_blocks = 8;
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel));
    if (attributes.ptxVersion < 90) return false;
    if (blocks > portable_blocks) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    }
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(blocks, clusters);
    launch.blockDim = dim3(threads);
    launch.stream = stream;
    launch.attrs = &cluster;
    launch.numAttrs = 1;
    const cudaError_t status = cudaLaunchKernelEx(&launch, kernel, arguments...);
    if (status == cudaErrorInvalidClusterSize || status == cudaErrorLaunchOutOfResources) {
        cudaGetLastError();  // else the next check would find it
        return false;
    }
    check(status);
    return true;
}

/// A cluster's barrier_arrive() for a barrier that only tells that the blocks have started, so that
/// there is memory to write to: no memory has to be put in order, which is faster.
static __device__ void tell_started() {
    cluster_arrive_relaxed();
}

}  // namespace common
