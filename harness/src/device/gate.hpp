#pragma once

#include "common/scratch.hpp"

namespace harness {

/// Holds up a stream, so that work is launched before it begins, and begins at the same time on
/// several GPUs. It opens by itself after 5 ms, for a function that waits for its stream.
class Gate {
  public:
    Gate();
    ~Gate();
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    void close(cudaStream_t stream);
    void open();

  private:
    int* open_ = nullptr;  ///< in page-locked memory, which the GPU reads
};

}  // namespace harness
