// GPU memory, page-locked memory, streams and events that last from call to call. Builds without
// CUDA have no_scratch.cpp instead.

#include <algorithm>
#include <chrono>
#include <utility>

#include "common/clock.hpp"
#include "common/cuda.cuh"
#include "common/scratch.hpp"

namespace common {
namespace {

/// The element of that number; the vector grows as needed.
template <class T>
T& element(std::vector<T>& vector, std::size_t number) {
    if (number >= vector.size()) vector.resize(number + 1);
    return vector[number];
}

}  // namespace

Scratch::~Scratch() {
    for (const Slot& slot : slots_) cudaFree(slot.data);
    for (const Slot& slot : pinned_) cudaFreeHost(slot.data);
    for (cudaStream_t stream : streams_) {
        if (stream != nullptr) cudaStreamDestroy(stream);
    }
    for (cudaEvent_t event : events_) {
        if (event != nullptr) cudaEventDestroy(event);
    }
}

void* Scratch::get(std::size_t slot, std::size_t bytes) {
    Slot& mine = element(slots_, slot);
    if (mine.bytes >= bytes) return mine.data;
    const auto start = std::chrono::steady_clock::now();
    check(cudaFree(std::exchange(mine.data, nullptr)));
    mine.bytes = 0;
    require_device_memory(bytes);
    check(cudaMalloc(&mine.data, bytes));
    mine.bytes = bytes;
    allocation_ms_ += ms_since(start);
    return mine.data;
}

void* Scratch::pinned(std::size_t slot, std::size_t bytes) {
    Slot& mine = element(pinned_, slot);
    if (mine.bytes >= bytes) return mine.data;
    const auto start = std::chrono::steady_clock::now();
    check(cudaFreeHost(std::exchange(mine.data, nullptr)));
    mine.bytes = 0;
    check(cudaMallocHost(&mine.data, bytes));
    mine.bytes = bytes;
    allocation_ms_ += ms_since(start);
    return mine.data;
}

cudaStream_t Scratch::stream(std::size_t slot, bool urgent) {
    cudaStream_t& mine = element(streams_, slot);
    constexpr int highest = -100;  // beyond the range: CUDA takes the end of it
    if (mine == nullptr) {
        const int priority = urgent ? highest : 0;
        check(cudaStreamCreateWithPriority(&mine, cudaStreamNonBlocking, priority));
    }
    return mine;
}

cudaEvent_t Scratch::event(std::size_t slot) {
    cudaEvent_t& mine = element(events_, slot);
    if (mine == nullptr) check(cudaEventCreateWithFlags(&mine, cudaEventDisableTiming));
    return mine;
}

const void* Scratch::constants(std::size_t slot, std::span<const std::byte> values,
                               cudaStream_t stream) {
    void* copy = get(slot, values.size());
    std::vector<std::byte>& known = slots_[slot].constants;
    if (!std::equal(known.begin(), known.end(), values.begin(), values.end())) {
        check(cudaMemcpyAsync(copy, values.data(), values.size(), cudaMemcpyHostToDevice, stream));
        known.assign(values.begin(), values.end());
    }
    return copy;
}

}  // namespace common
