// Fault: as cuda_faults, but only in a benchmark.

#include "common/cuda.cuh"
#include "parts/planted.hpp"

using common::DeviceView;

namespace convolution {
void cuda_per_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream);
}

static __global__ void write_misaligned(std::uint8_t* out) {
    *reinterpret_cast<volatile std::uint32_t*>(out + 1) = 0;
}

void cuda_faults_in_benchmark(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                              const Options& options, cudaStream_t stream) {
    if (!in_benchmark()) {
        cuda_per_pixel(in, out, options, stream);
        return;
    }
    write_misaligned<<<1, 1, 0, stream>>>(out.data);
    common::check_launch();
}

static const Register registered{{.name = "cuda_faults_in_benchmark",
                                  .backend = common::Backend::cuda,
                                  .idea = "planted: a misaligned address, but not in tests"},
                                 cuda_faults_in_benchmark};
