#pragma once

// Launches of kernels. A kernel becomes a function without parameters, which is called for every
// thread of the grid and has copies of the launch's arguments.

#include <array>
#include <cstddef>
#include <memory>
#include <source_location>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "emulation/api.hpp"

namespace emulation {

/// The execution configuration of a launch, <<<...>>>.
struct Configuration {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes;
    cudaStream_t stream;
    int cluster_blocks = 1;       ///< blocks that run together and see each other's shared memory
    bool cooperative = false;     ///< all blocks run together
    std::size_t most_shared = 0;  ///< bytes of dynamic shared memory that the kernel may have
    std::source_location place;   ///< of the launch

    Configuration(dim3 grid_, dim3 block_, std::size_t shared_bytes_ = 0,
                  cudaStream_t stream_ = nullptr,
                  std::source_location place_ = std::source_location::current())
        : grid(grid_), block(block_), shared_bytes(shared_bytes_), stream(stream_), place(place_) {}
};

/// Memory of the CPU that a launch reads: its arguments.
struct HostBytes {
    const void* begin;
    std::size_t size;
};

template <class T>
HostBytes bytes_of(const T& object) {
    return {static_cast<const void*>(std::addressof(object)), sizeof object};
}

/// A thread of a kernel: a function, and what it is called with. The first two of `arguments` are
/// copies and the function.
struct Kernel {
    void (*run)(const void* data);
    const void* data;
    std::span<const HostBytes> arguments;
};

/// Runs the whole grid. What goes wrong is kept for cudaGetLastError.
void run_grid(const Configuration& configuration, const Kernel& kernel);

/// The bytes of shared memory that cudaFuncSetAttribute has allowed to a kernel; all that there are
/// if it is not known which kernel it is.
std::size_t& most_shared_of(const void* function);

/// A launch keeps a copy of an argument. It refers to a class with constructors, which the call of
/// the kernel converts.
template <class T>
using Passed =
    std::conditional_t<std::is_trivially_copyable_v<T> && !std::is_array_v<T>, T, const T&>;

template <class T>
struct Argument {
    Passed<T> value;
};

template <class Call, class... Arguments>
void launch_call(const Call& call, const Configuration& configuration,
                 const Arguments&... arguments) {
    static_assert((sizeof(Arguments) + ... + 0) <= 32764,
                  "a kernel has at most 32,764 bytes of arguments");
    const auto thread = [&call, ... kept = Argument<Arguments>{arguments}] {
        if constexpr (std::is_pointer_v<Call> || sizeof...(Arguments) == 0) {
            call(kept.value...);
        } else {
            call.template operator()<Passed<Arguments>...>(kept.value...);
        }
    };
    const HostBytes host[] = {bytes_of(thread), bytes_of(call), bytes_of(arguments)...};
    run_grid(
        configuration,
        {[](const void* data) { (*static_cast<const decltype(thread)*>(data))(); }, &thread, host});
}

/// Launches a kernel; cuda_to_cpp replaces <<<...>>> by this. `address` gives the kernel's address,
/// or null if it is not known.
template <class Call, class Address, class... Arguments>
void launch(const Call& call, const Address& address, Configuration configuration,
            const Arguments&... arguments) {
    configuration.most_shared =
        most_shared_of(address.template operator()<std::remove_cvref_t<Arguments>...>());
    launch_call(call, configuration, arguments...);
}

/// The launch of a function, in ways of which the configuration knows more than <<< >>> says.
template <class... Parameters, class... Arguments>
cudaError_t launch_function(void (*kernel)(Parameters...), Configuration configuration,
                            const Arguments&... arguments) {
    configuration.most_shared = most_shared_of(reinterpret_cast<const void*>(kernel));
    launch_call(kernel, configuration, static_cast<const Parameters&>(arguments)...);
    return cudaGetLastError();  // the caller gets the error, so a later check need not find it
}

}  // namespace emulation

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributeNonPortableClusterSizeAllowed,
};

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
    int maxDynamicSharedSizeBytes;
};

enum cudaLaunchAttributeID { cudaLaunchAttributeClusterDimension, cudaLaunchAttributeCooperative };

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        uint3 clusterDim;
        int cooperative;
    } val;
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};

cudaError_t emulated_func_set_attribute(const void* kernel, cudaFuncAttribute which, int value);
cudaError_t emulated_func_get_attributes(cudaFuncAttributes* attributes);
cudaError_t emulated_occupancy(int* blocks, int block_threads, std::size_t shared_bytes);

inline cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute which, int value) {
    return emulated_func_set_attribute(kernel, which, value);
}

inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    return emulated_func_get_attributes(attributes);
}

/// How many blocks of a kernel a multiprocessor runs at once. Registers and static shared memory
/// are not known.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel*, int block_threads,
                                                          std::size_t shared_bytes) {
    return emulated_occupancy(blocks, block_threads, shared_bytes);
}

template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute which,
                                 int value) {
    return emulated_func_set_attribute(reinterpret_cast<const void*>(kernel), which, value);
}

template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*)(Parameters...)) {
    return emulated_func_get_attributes(attributes);
}

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* launch, void (*kernel)(Parameters...),
                               const Arguments&... arguments) {
    emulation::Configuration configuration(launch->gridDim, launch->blockDim,
                                           launch->dynamicSmemBytes, launch->stream);
    for (unsigned i = 0; i < launch->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = launch->attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative) {
            configuration.cooperative = attribute.val.cooperative != 0;
        } else {
            const uint3 size = attribute.val.clusterDim;
            configuration.cluster_blocks = static_cast<int>(size.x * size.y * size.z);
        }
    }
    return emulation::launch_function(kernel, configuration, arguments...);
}

namespace emulation {

/// `arguments` has the address of each argument.
template <class... Parameters>
cudaError_t launch_with_addresses(void (*kernel)(Parameters...), const Configuration& configuration,
                                  void** arguments) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return launch_function(kernel, configuration,
                               *static_cast<std::remove_cvref_t<Parameters>*>(arguments[I])...);
    }
    (std::index_sequence_for<Parameters...>{});
}

}  // namespace emulation

// cuda_to_cpp removes a cast of the kernel to const void*.
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    const emulation::Configuration configuration(grid, block, shared_bytes, stream);
    return emulation::launch_with_addresses(kernel, configuration, arguments);
}

template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
    emulation::Configuration configuration(grid, block, shared_bytes, stream);
    configuration.cooperative = true;
    return emulation::launch_with_addresses(kernel, configuration, arguments);
}
