// Task C, debugging. One thread per channel as in cuda_per_channel, with the mask in shared memory:
// each block copies the weights from global memory, one weight per thread, and all of its threads
// then read them from there. That is the plan. The kernel has three faults.
//
// Given: this file. Wanted: a right kernel, in which the mask is still copied once per block, and
// for each fault which message you got, why the fault leads to it, and why the repair is right.
//
// Fault 1: …
// Fault 2: …
// Fault 3: …

#include <span>

#include "common/cuda.cuh"
#include "common/error.hpp"
#include "common/scratch.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

template <int Channels>
static __global__ void convolve_with_shared_mask(DeviceView<const std::uint8_t, Channels> in,
                                                 DeviceView<std::uint8_t, Channels> out,
                                                 const Mask* mask) {
    __shared__ float weights[Mask::max_size * Mask::max_size];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int c = threadIdx.z;
    if (x >= in.width || y >= in.height) return;

    const int size = mask->size;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (thread < size * size) weights[thread] = mask->weights[thread];

    const int k = size / 2;
    float sum = 0;
    for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
        for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
            sum += in.at(x + j, y + i, c) * weights[(i + k) * size + j + k];
        }
    }
    out.at(x, y, c) = to_pixel(sum);
}

void cuda_broken(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    if (block.threads() * in.channels > 1024) {
        throw common::Unsupported("cuda_broken: block " + common::to_string(block) +
                                  " has a thread per channel, so more than 1024 threads");
    }
    const dim3 threads(block.width, block.height, in.channels);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    const void* mask =
        options.scratch->constants(0, std::as_bytes(std::span(&options.mask, 1)), stream);
    if (in.channels == 1) {
        convolve_with_shared_mask<1>
            <<<grid, threads, 0, stream>>>(in, out, static_cast<const Mask*>(mask));
    } else {
        convolve_with_shared_mask<3>
            <<<grid, threads, 0, stream>>>(in, out, static_cast<const Mask*>(mask));
    }
    common::check_launch();
}

static const Register registered{{.name = "cuda_broken",
                                  .backend = common::Backend::cuda,
                                  .idea = "one thread per channel; mask in shared memory"},
                                 cuda_broken};

}  // namespace convolution
