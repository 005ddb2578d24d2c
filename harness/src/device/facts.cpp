// Properties of the GPU, read once per process.

#include <fmt/format.h>

#include <chrono>

#include "common/clock.hpp"
#include "common/cuda.cuh"
#include "harness/device.hpp"

namespace harness {

using namespace common;
namespace {

struct Context {
    DeviceFacts facts;
    double ms = 0;
};

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

void ask_device(DeviceFacts& facts) {
    int device = 0;
    check(cudaGetDevice(&device));
    check(cudaFree(nullptr));  // creates the context
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device));
    facts.name = properties.name;
#if defined(LABS_EMULATED)
    facts.emulated = true;
#endif
    facts.compute_capability = 10 * properties.major + properties.minor;
    facts.multiprocessors = properties.multiProcessorCount;
    facts.max_threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
    facts.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
    facts.shared_bytes_per_multiprocessor = properties.sharedMemPerMultiprocessor;
    facts.clock_mhz = attribute(cudaDevAttrClockRate, device) / 1000;
    check(cudaMemGetInfo(&facts.free_bytes, &facts.memory_bytes));
    if (has_kernels()) return;
    facts.why_unusable = fmt::format(
        "this build has no kernels for compute capability {0}.{1}; configure with "
        "-DCMAKE_CUDA_ARCHITECTURES={0}{1}",
        properties.major, properties.minor);
}

Context open_context() {
    Context context;
    const auto start = std::chrono::steady_clock::now();
    int devices = 0;
    cudaDriverGetVersion(&context.facts.driver_version);
    cudaRuntimeGetVersion(&context.facts.runtime_version);
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0) {
        context.facts.why_unusable = context.facts.driver_version == 0
                                         ? "no NVIDIA driver on this machine"
                                         : cudaGetErrorString(status);
        return context;
    }
    context.facts.gpus = devices;
    try {
        ask_device(context.facts);
    } catch (const Error& error) {
        context.facts.why_unusable = error.what();
    }
    context.ms = ms_since(start);
    return context;
}

const Context& context() {
    static const Context opened = open_context();
    return opened;
}

}  // namespace

const DeviceFacts& device_facts() {
    return context().facts;
}

std::optional<std::string> context_fault() {
    if (!device_facts().usable()) return std::nullopt;
    cudaGetLastError();  // an error of a launch or a call is over with this, a fault is not
    const cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) return std::nullopt;
    return cudaGetErrorString(status);
}

double context_ms() {
    return context().ms;
}

}  // namespace harness
