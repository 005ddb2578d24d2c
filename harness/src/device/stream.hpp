#pragma once

#include "common/cuda.cuh"

namespace harness {

using namespace common;

/// A stream that does not wait for the default stream.
class Stream {
  public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_)); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// An event that records the time at which a stream reaches it.
class Event {
  public:
    Event() { check(cudaEventCreate(&event_)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream)); }
    double ms_since(const Event& start) const {
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start.event_, event_));
        return static_cast<double>(ms);
    }

  private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace harness
