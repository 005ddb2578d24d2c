#pragma once

// Variables that are declared __device__ or __constant__. cuda_to_cpp makes each of them a
// reference to the emulated GPU's memory.

#include <cstddef>
#include <type_traits>

#include "emulation/api.hpp"

namespace emulation {

/// Memory for the variable that `key` names, with the initial value when it is first asked for.
/// Ends the program if there is no room.
void* device_memory(const void* key, const char* name, const void* initial, std::size_t bytes);
void* constant_memory(const void* key, const char* name, const void* initial, std::size_t bytes);

/// The address of a variable of any type, without an operator & of its own, and without const.
template <class T>
void* address_of(T& symbol) {
    return const_cast<char*>(&reinterpret_cast<const volatile char&>(symbol));
}

/// `__device__ T name = value;`. The function returns a variable with the initial value. Its type
/// is another one for every declaration, and in templates for every instantiation.
template <class Initial>
auto& device_variable(const char* name, Initial initial) {
    using T = std::remove_reference_t<decltype(initial())>;
    static constexpr char key = 0;
    return *static_cast<T*>(device_memory(&key, name, address_of(initial()), sizeof(T)));
}

/// `__constant__ T name = value;`
template <class Initial>
auto& constant_variable(const char* name, Initial initial) {
    using T = std::remove_reference_t<decltype(initial())>;
    static constexpr char key = 0;
    return *static_cast<T*>(constant_memory(&key, name, address_of(initial()), sizeof(T)));
}

cudaError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes,
                           std::size_t offset);

}  // namespace emulation

template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
    return emulation::copy_to_symbol(emulation::address_of(symbol), sizeof(T), from, bytes, offset);
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t = nullptr) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return cudaErrorInvalidValue;
    return cudaMemcpy(to, static_cast<char*>(emulation::address_of(symbol)) + offset, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return cudaErrorInvalidValue;
    return cudaMemcpyAsync(to, static_cast<char*>(emulation::address_of(symbol)) + offset, bytes,
                           kind, stream);
}

template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
    *address = emulation::address_of(symbol);
    return cudaSuccess;
}

template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&) {
    *bytes = sizeof(T);
    return cudaSuccess;
}
