#pragma once

#include "common/cuda.cuh"

namespace common {

/// Work that the GPU does in order, and that waits for no other stream's.
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

}  // namespace common
