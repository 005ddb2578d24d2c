// What a CUDA programmer would call: NPP's general filter with a float mask. It takes the
// coefficients in reverse order, knows no border but the replicated one, and rounds to nearest.

#include <cuda_runtime.h>
#include <nppi_filtering_functions.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "options.hpp"

namespace convolution {

using common::DeviceView;

/// NPP 13 keeps no stream of its own; its callers describe device and stream in a structure.
static NppStreamContext context_of(cudaStream_t stream) {
    NppStreamContext context{};
    context.hStream = stream;
    common::check(cudaGetDevice(&context.nCudaDeviceId));
    const auto attribute = [&](cudaDeviceAttr which) {
        int value = 0;
        common::check(cudaDeviceGetAttribute(&value, which, context.nCudaDeviceId));
        return value;
    };
    context.nMultiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    context.nMaxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    context.nMaxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
    context.nSharedMemPerBlock =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    context.nCudaDevAttrComputeCapabilityMajor = attribute(cudaDevAttrComputeCapabilityMajor);
    context.nCudaDevAttrComputeCapabilityMinor = attribute(cudaDevAttrComputeCapabilityMinor);
    common::check(cudaStreamGetFlags(stream, &context.nStreamFlags));
    return context;
}

void peer_npp(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
              const Options& options, cudaStream_t stream) {
    const Mask& mask = options.mask;
    std::vector<float> reversed(mask.weights, mask.weights + mask.size * mask.size);
    std::reverse(reversed.begin(), reversed.end());
    const auto* weights = static_cast<const float*>(
        options.scratch->constants(0, std::as_bytes(std::span(reversed)), stream));

    const auto filter =
        in.channels == 1 ? nppiFilterBorder32f_8u_C1R_Ctx : nppiFilterBorder32f_8u_C3R_Ctx;
    const NppiSize size{in.width, in.height};
    const NppStatus status =
        filter(in.data, static_cast<int>(in.pitch), size, {0, 0}, out.data,
               static_cast<int>(out.pitch), size, weights, {mask.size, mask.size},
               {mask.radius(), mask.radius()}, NPP_BORDER_REPLICATE, context_of(stream));
    if (status != NPP_SUCCESS) {
        throw common::Failed("peer_npp: NPP reports status " + std::to_string(status));
    }
}

}  // namespace convolution
