// Finds the kernels that a job launches, and their registers, shared memory and occupancy.

#include <cxxabi.h>

#include <cstdlib>
#include <regex>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "harness/device.hpp"

namespace harness {

using namespace common;
namespace {

std::string demangled(const char* name) {
    int status = 0;
    char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 ? text : name;
    std::free(text);  // NOLINT: allocated with malloc by __cxa_demangle
    // Template arguments that are enumerators: kernel<3, (lab::Order)1>.
    result = std::regex_replace(result, std::regex(R"(([<,] ?)\([\w:]+\))"), "$1");
    const auto arguments = result.find('(');
    result = result.substr(0, arguments == 0 ? std::string::npos : arguments);
    const auto scope = result.rfind("::");
    return scope == std::string::npos ? result : result.substr(scope + 2);
}

std::string kernel_name([[maybe_unused]] const void* function) {
#if CUDART_VERSION >= 12030
    const char* name = nullptr;
    if (cudaFuncGetName(&name, function) == cudaSuccess) return demangled(name);
#endif
    return "kernel";  // older runtimes cannot tell
}

KernelFacts facts_of(const cudaKernelNodeParams& launch) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, launch.func));
    KernelFacts facts;
    facts.name = kernel_name(launch.func);
    facts.registers = attributes.numRegs;
    facts.shared_bytes = attributes.sharedSizeBytes + launch.sharedMemBytes;
    facts.local_bytes = attributes.localSizeBytes;
    facts.block_x = static_cast<int>(launch.blockDim.x);
    facts.block_y = static_cast<int>(launch.blockDim.y);
    facts.block_z = static_cast<int>(launch.blockDim.z);
    const int threads = facts.block_x * facts.block_y * facts.block_z;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &facts.blocks_per_multiprocessor, launch.func, threads, launch.sharedMemBytes));
    facts.occupancy = static_cast<double>(facts.blocks_per_multiprocessor * threads) /
                      device_facts().max_threads_per_multiprocessor;
    return facts;
}

/// The kernel nodes of a captured graph.
std::vector<KernelFacts> facts_of(cudaGraph_t graph) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph, nodes.data(), &count));
    std::vector<KernelFacts> kernels;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        check(cudaGraphNodeGetType(node, &type));
        cudaKernelNodeParams launch{};
        if (type != cudaGraphNodeTypeKernel) continue;
        check(cudaGraphKernelNodeGetParams(node, &launch));
        kernels.push_back(facts_of(launch));
    }
    return kernels;
}

}  // namespace

std::vector<KernelFacts> kernels_of(const Job& job, const cv::Mat& in, const Shape& out) {
    const PitchedImage device_in(Shape::of(in));
    const PitchedImage device_out(out);
    const Stream stream;
    Scratch scratch;
    job.run(device_in.image(), device_out.image(), scratch, stream);  // allocates what it needs
    stream.wait();
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cudaGraph_t graph = nullptr;
    try {
        job.run(device_in.image(), device_out.image(), scratch, stream);
    } catch (...) {
        if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) cudaGraphDestroy(graph);
        throw;
    }
    check(cudaStreamEndCapture(stream, &graph));
    const std::unique_ptr<CUgraph_st, decltype(&cudaGraphDestroy)> owner(graph, cudaGraphDestroy);
    return facts_of(graph);
}

}  // namespace harness
