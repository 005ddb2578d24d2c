// Fault: its kernel writes four bytes to an odd address.

#include "common/cuda.cuh"
#include "parts/planted.hpp"

using common::DeviceView;

static __global__ void write_misaligned(std::uint8_t* out) {
    *reinterpret_cast<volatile std::uint32_t*>(out + 1) = 0;
}

void cuda_faults(DeviceView<const std::uint8_t>, DeviceView<std::uint8_t> out, const Options&,
                 cudaStream_t stream) {
    write_misaligned<<<1, 1, 0, stream>>>(out.data);
    common::check_launch();
}

static const Register registered{{.name = "cuda_faults",
                                  .backend = common::Backend::cuda,
                                  .idea = "planted: a misaligned address"},
                                 cuda_faults};
