// A copy on the GPU, whose rate is the limit of most variants.

#include <algorithm>
#include <memory>

#include "common/cuda.cuh"
#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "harness/device.hpp"

namespace harness {

using namespace common;

struct DeviceCopy::State {
    Buffer from;
    Buffer to;
    CacheFlush flush;
    Stream stream;
    Event start;
    Event stop;

    explicit State(std::size_t half) : from(half), to(half) {}
};

DeviceCopy::DeviceCopy(std::size_t bytes)
    : state_(std::make_unique<State>(std::max<std::size_t>(bytes / 2, 1))) {}

DeviceCopy::~DeviceCopy() = default;

double DeviceCopy::run() {
    state_->flush(state_->stream);
    state_->start.record(state_->stream);
    check(cudaMemcpyAsync(state_->to.data(), state_->from.data(), state_->from.bytes(),
                          cudaMemcpyDeviceToDevice, state_->stream));
    state_->stop.record(state_->stream);
    state_->stream.wait();
    return state_->stop.ms_since(state_->start);
}

}  // namespace harness
