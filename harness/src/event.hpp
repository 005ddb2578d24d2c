#pragma once

#include "common/cuda.cuh"

namespace common {

/// A point in a stream's work, whose time can be asked for once it has passed.
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

}  // namespace common
