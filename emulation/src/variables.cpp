// Variables that are declared __device__, in global memory, or __constant__.

#include "emulation/variables.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "errors.hpp"
#include "memory.hpp"

namespace emulation {
namespace {

constexpr std::size_t most_constant_bytes = 64 * 1024;  ///< of a GPU, for the files of a program
constexpr std::size_t constant_alignment = 256;

/// A program has several files, and nvcc gives each of them as much.
alignas(constant_alignment) std::array<unsigned char, 16 * most_constant_bytes> constants;

[[noreturn]] void refuse(const char* name, const char* why) {
    fmt::print(stderr, "emulation: the variable {}: {}\n", name, why);
    std::exit(1);
}

/// Calls `make` once for each key, and returns its result from then on.
template <class Make>
void* memory_of(const void* key, Make make) {
    static std::mutex mutex;
    static std::map<const void*, void*> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find(key);
    return found != known.end() ? found->second : known[key] = make();
}

}  // namespace

bool is_constant(std::uintptr_t address) {
    return address - reinterpret_cast<std::uintptr_t>(constants.data()) < constants.size();
}

void* device_memory(const void* key, const char* name, const void* initial, std::size_t bytes) {
    return memory_of(key, [&] {
        void* const memory = allocate(bytes, 0, 0, name);
        if (memory == nullptr) refuse(name, "the GPU has not so much memory");
        std::memcpy(memory, initial, bytes);
        mark_written(memory, bytes);
        return memory;
    });
}

void* constant_memory(const void* key, const char* name, const void* initial, std::size_t bytes) {
    return memory_of(key, [&] {
        static std::size_t used = 0;
        if (bytes > most_constant_bytes) refuse(name, "a GPU has 64 KB for __constant__ variables");
        if (bytes > constants.size() - used) refuse(name, "too many __constant__ variables");
        void* const memory = constants.data() + used;
        used += (bytes + constant_alignment - 1) / constant_alignment * constant_alignment;
        std::memcpy(memory, initial, bytes);
        return memory;
    });
}

cudaError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes,
                           std::size_t offset) {
    if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
    const bool is_of_gpu = reinterpret_cast<std::uintptr_t>(from) - memory_begin < memory_bytes;
    if (is_of_gpu && is_constant(reinterpret_cast<std::uintptr_t>(symbol))) {
        set_error(cudaErrorNotSupported,
                  "the emulation does not cover copies from GPU memory to a __constant__ variable");
        return cudaErrorNotSupported;
    }
    unsigned char* const to = static_cast<unsigned char*>(symbol) + offset;
    std::memcpy(to, from, bytes);
    mark_written(to, bytes);
    return cudaSuccess;
}

}  // namespace emulation
