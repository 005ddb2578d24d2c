// The runtime's calls for memory.

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

#include "emulation/api.hpp"
#include "errors.hpp"
#include "memory.hpp"
#include "streams.hpp"

namespace {

using emulation::mark_written;
using emulation::put_copy_into_stream;
using emulation::put_host_memory_into_stream;

constexpr std::size_t row_alignment = 512;

/// Page-locked memory: the end of each block by its begin.
struct PageLocked {
    std::mutex mutex;
    std::map<const char*, const char*> ends;
};

PageLocked& page_locked() {
    static PageLocked all;
    return all;
}

cudaError_t out_of_memory() {
    emulation::set_error(cudaErrorMemoryAllocation, "out of memory");
    return cudaErrorMemoryAllocation;
}

}  // namespace

bool emulation::is_page_locked(const void* data) {
    const std::lock_guard lock(page_locked().mutex);
    const auto* address = static_cast<const char*>(data);
    const auto after = page_locked().ends.upper_bound(address);
    return after != page_locked().ends.begin() && address < std::prev(after)->second;
}

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
    *data = bytes == 0 ? nullptr : emulation::allocate(bytes, 0, 0);
    return bytes == 0 || *data != nullptr ? cudaSuccess : out_of_memory();
}

cudaError_t cudaMallocPitch(void** data, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
    *pitch = (width + row_alignment - 1) / row_alignment * row_alignment;
    *data = emulation::allocate(*pitch * height, width, *pitch);
    return *data != nullptr ? cudaSuccess : out_of_memory();
}

cudaError_t cudaFree(void* data) {
    emulation::wait_for_all_streams();
    if (data == nullptr || emulation::release(data)) return cudaSuccess;
    emulation::set_error(cudaErrorInvalidValue,
                         "cudaFree of an address that cudaMalloc did not "
                         "return, or that has been freed");
    return cudaErrorInvalidValue;
}

cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
    *data = std::malloc(bytes);  // NOLINT: cudaFreeHost frees it
    if (*data == nullptr) return bytes == 0 ? cudaSuccess : out_of_memory();
    const std::lock_guard lock(page_locked().mutex);
    page_locked().ends[static_cast<char*>(*data)] = static_cast<char*>(*data) + bytes;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void* data) {
    emulation::wait_for_all_streams();
    {
        const std::lock_guard lock(page_locked().mutex);
        page_locked().ends.erase(static_cast<char*>(data));
    }
    std::free(data);  // NOLINT: allocated by cudaMallocHost
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *free = emulation::free_bytes();
    *total = emulation::device_bytes;
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind, cudaStream_t stream) {
    put_copy_into_stream(stream, "a copy", from, from_pitch, width, height, false);
    put_copy_into_stream(stream, "a copy", to, to_pitch, width, height, true);
    if (height > 0) {
        put_host_memory_into_stream(stream, from, (height - 1) * from_pitch + width, false);
        put_host_memory_into_stream(stream, to, (height - 1) * to_pitch + width, true);
    }
    emulation::note_copy();
    auto* target = static_cast<unsigned char*>(to);
    const auto* source = static_cast<const unsigned char*>(from);
    for (std::size_t y = 0; y < height; ++y, target += to_pitch, source += from_pitch) {
        std::memcpy(target, source, width);
        mark_written(target, width);
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    const cudaError_t error =
        cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
    emulation::wait_for_stream(nullptr);
    return error;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

cudaError_t cudaMemset2DAsync(void* data, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
    put_copy_into_stream(stream, "a memset", data, pitch, width, height, true);
    auto* row = static_cast<unsigned char*>(data);
    for (std::size_t y = 0; y < height; ++y, row += pitch) {
        std::memset(row, value, width);
        mark_written(row, width);
    }
    return cudaSuccess;
}

// A GPU's host does not always wait for it; that is not looked into.
cudaError_t cudaMemset2D(void* data, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
    const cudaError_t error = cudaMemset2DAsync(data, pitch, value, width, height, nullptr);
    emulation::wait_for_stream(nullptr);
    return error;
}

cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
    return cudaMemset2D(data, bytes, value, bytes, 1);
}

cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
    return cudaMemset2DAsync(data, bytes, value, bytes, 1, stream);
}
