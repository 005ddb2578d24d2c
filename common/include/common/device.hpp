#pragma once

#include <cstddef>
#include <memory>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "common/variant.hpp"

namespace common {

/// The GPU that CUDA variants run on (the current device), or why there is none.
struct DeviceFacts {
    std::string why_unusable;  ///< empty if the GPU can be used
    std::string name;
    bool emulated = false;       ///< there is no GPU: kernels run on the CPU, to be checked
    int compute_capability = 0;  ///< 90 for 9.0
    int multiprocessors = 0;
    int max_threads_per_multiprocessor = 0;
    int clock_mhz = 0;
    std::size_t memory_bytes = 0;
    std::size_t free_bytes = 0;
    std::size_t l2_bytes = 0;
    std::size_t shared_bytes_per_multiprocessor = 0;
    int driver_version = 0;  ///< as CUDA counts: 13000 for 13.0
    int runtime_version = 0;

    bool usable() const { return why_unusable.empty(); }
};

/// Never throws. The GPU is asked once per process, which creates its context.
const DeviceFacts& device_facts();

/// What creating the context cost this process, in ms; part of every CUDA variant's cold time.
double context_ms();

/// One kernel as a variant launches it.
struct KernelFacts {
    std::string name;
    int registers = 0;             ///< per thread
    std::size_t shared_bytes = 0;  ///< per block, static and dynamic
    std::size_t local_bytes = 0;   ///< per thread: spills and arrays that do not fit registers
    int block_x = 0, block_y = 0, block_z = 0;
    int blocks_per_multiprocessor = 0;
    double occupancy = 0;  ///< theoretical, 0..1
};

/// The kernels that `job` launches on such an input, in order. The launches are captured as a CUDA
/// graph, so a variant need not announce them.
std::vector<KernelFacts> kernels_of(const Job& job, const cv::Mat& in, const Shape& out);

/// GB/s (1e9 bytes, reads plus writes) of a device-to-device cudaMemcpy that moves `bytes` in all,
/// with the L2 cache flushed before each of `repeats` copies. Trimmed mean.
double device_copy_gb_per_s(std::size_t bytes, int repeats);

/// GFLOP/s (1e9 float operations, two per multiply-add) of a kernel that does nothing else, in
/// registers.
double device_fma_gflop_per_s();

/// From launch to finish of a kernel that does nothing, in ms, as DeviceRunner::kernel measures it.
double empty_kernel_ms();

/// Where the time of a call goes, in ms. The stages are waited for one by one, so their sum may
/// exceed what the call takes when nobody looks.
struct Stages {
    double allocation = 0;  ///< and freeing, if the buffers are fresh
    double upload = 0;      ///< with the copy to page-locked memory, if there is one
    double kernels = 0;
    double download = 0;
};

/// A job whose images the harness brings to the GPU and back, with its buffers.
class DeviceRunner {
  public:
    /// Allocates. Throws Failed with the bytes needed and free if they do not fit.
    DeviceRunner(Job job, cv::Mat in, const Shape& out);
    ~DeviceRunner();
    DeviceRunner(const DeviceRunner&) = delete;
    DeviceRunner& operator=(const DeviceRunner&) = delete;

    /// Overwrites the output buffer with `value`, so that what is not written shows.
    void poison(unsigned char value);

    /// Upload, kernels, download, as job.transfers says. Returns wall-clock ms.
    double call(cv::Mat& out);

    /// The same, taken apart.
    Stages stages(cv::Mat& out);

    /// The kernels alone, on the input that was uploaded last, after the L2 cache was flushed. ms.
    double kernel();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace common
