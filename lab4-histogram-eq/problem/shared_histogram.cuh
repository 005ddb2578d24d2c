#pragma once

#include "expert/cooperative/pixels.cuh"

// The kernel of cuda_shared_atomics and cuda_streamed.

namespace equalize {

/// Adds the levels of the image to the histogram, which all blocks share.
static __global__ void __launch_bounds__(1024)
    count_in_shared(common::DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    for_each_pixel(in, [&](std::uint8_t level) { atomicAdd(&counts[level], Count{1}); });
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);
    }
}

}  // namespace equalize
