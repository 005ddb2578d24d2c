// The runtime's other calls.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>

#include "counting.hpp"
#include "emulation/api.hpp"
#include "emulation/launch.hpp"
#include "emulation/texture.hpp"
#include "errors.hpp"
#include "limits.hpp"
#include "memory.hpp"

namespace emulation {
namespace {

struct LastError {
    std::mutex mutex;
    cudaError_t error = cudaSuccess;
    std::string text{};
};

LastError& last_error() {
    static LastError last;
    return last;
}

struct Texture {
    const unsigned char* data;
    std::size_t width, height, pitch, pixel_bytes;
};

/// Why the GPU makes no texture of an image with this address and pitch, or "".
std::string misalignment(const void* data, std::size_t pitch) {
    if (pitch % limits.texture_pitch_alignment != 0) {
        return fmt::format(
            "a pitch of {} bytes is no multiple of {} (cudaDeviceProp::texturePitchAlignment). "
            "Usual cause: rows without padding: round the pitch up, or take that of "
            "cudaMallocPitch",
            pitch, limits.texture_pitch_alignment);
    }
    const std::size_t past = reinterpret_cast<std::uintptr_t>(data) % limits.texture_alignment;
    if (past == 0) return "";
    return fmt::format(
        "the image begins {} bytes past a multiple of {} (cudaDeviceProp::textureAlignment). Usual "
        "cause: the address is inside an allocation: that of its begin is such a multiple",
        past, limits.texture_alignment);
}

}  // namespace

void set_error(cudaError_t error, const std::string& text) {
    LastError& last = last_error();
    const std::lock_guard lock(last.mutex);
    if (last.error != cudaSuccess) return;
    last.error = error;
    last.text = text;
}

const unsigned char* texture_pixel(cudaTextureObject_t object, float x, float y) {
    const auto& texture = *reinterpret_cast<const Texture*>(object);
    const auto clamped = [](float at, std::size_t size) {
        const float last = static_cast<float>(size - 1);
        return static_cast<std::size_t>(std::clamp(std::floor(at), 0.0f, last));
    };
    const unsigned char* pixel = texture.data + clamped(y, texture.height) * texture.pitch +
                                 clamped(x, texture.width) * texture.pixel_bytes;
    if (is_counting()) {
        record(Space::texture, Operation::load,
               reinterpret_cast<std::uintptr_t>(pixel) - memory_begin, texture.pixel_bytes,
               __builtin_return_address(0));
    }
    return pixel;
}

}  // namespace emulation

using emulation::limits;

const char* cudaGetErrorString(cudaError_t error) {
    const emulation::LastError& last = emulation::last_error();
    if (error == cudaSuccess) return "no error";
    return last.text.empty() ? "invalid argument" : last.text.c_str();
}

cudaError_t cudaPeekAtLastError() {
    return emulation::last_error().error;
}

cudaError_t cudaGetLastError() {
    return std::exchange(emulation::last_error().error, cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    return cudaDriverGetVersion(version);
}

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
    static const std::map<cudaDeviceAttr, std::size_t> values{
        {cudaDevAttrMaxThreadsPerBlock, limits.block_threads},
        {cudaDevAttrMaxSharedMemoryPerBlock, limits.shared_bytes},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, limits.shared_bytes_opt_in},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, limits.multiprocessor_shared_bytes},
        {cudaDevAttrReservedSharedMemoryPerBlock,
         limits.multiprocessor_shared_bytes - limits.shared_bytes_opt_in},
        {cudaDevAttrMultiProcessorCount, limits.multiprocessors},
        {cudaDevAttrMaxThreadsPerMultiProcessor, limits.multiprocessor_threads},
        {cudaDevAttrClockRate, 0},
        {cudaDevAttrComputeCapabilityMajor, 9},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrMaxTexture2DLinearWidth, 131072},
        {cudaDevAttrMaxTexture2DLinearHeight, 65000},
        {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
        {cudaDevAttrTextureAlignment, limits.texture_alignment},
        {cudaDevAttrTexturePitchAlignment, limits.texture_pitch_alignment}};
    const auto found = values.find(which);
    if (found == values.end()) return cudaErrorInvalidValue;
    *value = static_cast<int>(found->second);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
    *properties = {};
    std::snprintf(properties->name, sizeof properties->name, "emulated GPU");
    properties->totalGlobalMem = emulation::device_bytes;
    properties->sharedMemPerBlock = limits.shared_bytes;
    properties->sharedMemPerMultiprocessor = limits.multiprocessor_shared_bytes;
    properties->textureAlignment = limits.texture_alignment;
    properties->texturePitchAlignment = limits.texture_pitch_alignment;
    properties->major = 9;
    properties->multiProcessorCount = static_cast<int>(limits.multiprocessors);
    properties->maxThreadsPerMultiProcessor = static_cast<int>(limits.multiprocessor_threads);
    properties->maxThreadsPerBlock = static_cast<int>(limits.block_threads);
    properties->warpSize = 32;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* sampling, const void*) {
    if (sampling->addressMode[0] != cudaAddressModeClamp ||
        sampling->addressMode[1] != cudaAddressModeClamp ||
        sampling->readMode != cudaReadModeNormalizedFloat) {
        emulation::set_error(cudaErrorNotSupported,
                             "the emulation covers textures that are clamped, and read as floats "
                             "from 0 to 1");
        return cudaErrorNotSupported;
    }
    const auto& image = resource->res.pitch2D;
    if (const std::string why = emulation::misalignment(image.devPtr, image.pitchInBytes);
        !why.empty()) {
        emulation::set_error(cudaErrorInvalidValue, "cudaCreateTextureObject: " + why);
        return cudaErrorInvalidValue;
    }
    const auto bytes = static_cast<std::size_t>(image.desc.channels * image.desc.channel_size);
    auto* texture = new emulation::Texture{static_cast<const unsigned char*>(image.devPtr),
                                           image.width, image.height, image.pitchInBytes, bytes};
    *object = reinterpret_cast<cudaTextureObject_t>(texture);
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    delete reinterpret_cast<emulation::Texture*>(object);
    return cudaSuccess;
}

cudaError_t emulated_func_set_attribute(const void* kernel, cudaFuncAttribute which, int value) {
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || static_cast<std::size_t>(value) > limits.shared_bytes_opt_in) {
        emulation::set_error(
            cudaErrorInvalidValue,
            "cudaFuncSetAttribute: a block may have 232448 bytes of shared memory");
        return cudaErrorInvalidValue;
    }
    emulation::most_shared_of(kernel) = static_cast<std::size_t>(value);
    return cudaSuccess;
}

cudaError_t emulated_occupancy(int* blocks, int block_threads, std::size_t shared_bytes) {
    *blocks = 0;
    if (block_threads <= 0 || static_cast<unsigned>(block_threads) > limits.block_threads) {
        return cudaErrorInvalidValue;
    }
    if (shared_bytes > limits.shared_bytes_opt_in) return cudaSuccess;
    const std::size_t reserved = limits.multiprocessor_shared_bytes - limits.shared_bytes_opt_in;
    *blocks = static_cast<int>(std::min<std::size_t>(
        limits.resident_blocks(static_cast<unsigned>(block_threads)) / limits.multiprocessors,
        limits.multiprocessor_shared_bytes / (shared_bytes + reserved)));
    return cudaSuccess;
}

cudaError_t emulated_func_get_attributes(cudaFuncAttributes* attributes) {
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(limits.block_threads);
    attributes->ptxVersion = attributes->binaryVersion = 90;
    return cudaSuccess;
}
