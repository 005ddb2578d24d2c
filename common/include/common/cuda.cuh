#pragma once

// Checked CUDA calls, and grids that cover an image.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <string>

#include "common/error.hpp"
#include "common/options.hpp"
#include "common/scratch.hpp"

namespace common {

/// Throws Failed, naming the error and the place, unless the call succeeded.
inline void check(cudaError_t status,
                  std::source_location where = std::source_location::current()) {
    if (status == cudaSuccess) return;
    std::string file = where.file_name();
    file = file.substr(file.find_last_of('/') + 1);
    throw Failed("CUDA: " + std::string(cudaGetErrorString(status)) + " (" + file + ":" +
                 std::to_string(where.line()) + ")");
}

/// To be called after each launch, which reports a bad configuration in no other way.
inline void check_launch(std::source_location where = std::source_location::current()) {
    check(cudaGetLastError(), where);
}

/// Throws Failed, with the bytes needed and free, if they do not fit.
inline void require_device_memory(std::size_t bytes) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    if (bytes <= free) return;
    throw Failed("not enough GPU memory: " + std::to_string(bytes) + " bytes needed, " +
                 std::to_string(free) + " available");
}

/// An attribute of the current GPU.
inline int device_attribute(cudaDeviceAttr which) {
    int device = 0;
    int value = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

/// Bytes of shared memory that a block may use, static and dynamic.
inline int shared_bytes_per_block(const RunOptions& options) {
    return std::min(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
                    options.limits.device.shared_bytes);
}

/// The threads of a block, as a launch takes them.
inline dim3 threads_of(Block block) {
    return dim3(block.width, block.height);
}

/// Blocks of `block` threads that cover `width` by `height` of them: in the simplest case, pixels.
/// Throws Unsupported if CUDA's limit of 65535 blocks in y does not suffice.
inline dim3 grid_for(int width, int height, Block block) {
    const auto blocks = [](unsigned size, unsigned threads) {
        return (size + threads - 1) / threads;
    };
    const dim3 grid(blocks(width, block.width), blocks(height, block.height));
    if (grid.y > 65535) {
        throw Unsupported("block " + to_string(block) + ": " + std::to_string(height) +
                          " rows of threads need more than the 65535 blocks in y that CUDA "
                          "allows; use a taller block");
    }
    return grid;
}

}  // namespace common
