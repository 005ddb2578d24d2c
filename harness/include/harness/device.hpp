#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/job.hpp"

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

/// A device-to-device cudaMemcpy between two buffers of its own.
class DeviceCopy {
  public:
    /// Moves `bytes` in all, reads plus writes. Throws Failed if the buffers do not fit.
    explicit DeviceCopy(std::size_t bytes);
    ~DeviceCopy();
    DeviceCopy(const DeviceCopy&) = delete;
    DeviceCopy& operator=(const DeviceCopy&) = delete;

    /// One copy after the L2 cache was flushed, in ms.
    double run();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The fault that ended the CUDA context of this process (a misaligned address, say), after which
/// no call to the GPU succeeds any more; nothing if the context works. Clears other errors.
std::optional<std::string> context_fault();

/// GFLOP/s (1e9 float operations, two per multiply-add) of a kernel that does nothing else, in
/// registers.
double device_fma_gflop_per_s();

/// Whether this build has code for the current GPU.
bool has_kernels();

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

/// Tests fill the bytes around an image with this value, on the CPU and on the GPU.
inline constexpr unsigned char guard_byte = 0x3C;

/// A job whose images the harness brings to the GPU and back, with its buffers.
class DeviceRunner {
  public:
    /// Allocates. Throws Failed with the bytes needed and free if they do not fit. `in` is not
    /// copied: each call uploads what it holds then. With `guard_rows`, for tests, both images have
    /// so many rows above and below, and these and the padding of rows hold guard_byte.
    DeviceRunner(Job job, cv::Mat in, const Shape& out, int guard_rows = 0);
    ~DeviceRunner();
    DeviceRunner(const DeviceRunner&) = delete;
    DeviceRunner& operator=(const DeviceRunner&) = delete;

    /// Overwrites the output buffer with `value`, so that what is not written shows.
    void poison(unsigned char value);

    /// All bytes of the image on the GPU: guard rows, rows and padding (CV_8UC1).
    cv::Mat memory_of_input() const;
    cv::Mat memory_of_output() const;

    /// Upload, kernels, download, as job.transfers says. Returns wall-clock ms.
    double call(cv::Mat& out);

    /// Uses the images of `other`, which have the same shapes, and frees its own. The input of
    /// `other` was uploaded and is the same. Not for jobs whose buffers are fresh in each call.
    void share_images(const DeviceRunner& other);

    /// The hash of the output in GPU memory, as fingerprint.hpp defines it.
    std::uint64_t fingerprint();

    /// Copies the output to host memory.
    void download(cv::Mat& out);

    /// The same as `call`, taken apart.
    Stages stages(cv::Mat& out);

    /// The kernels alone, on the input in GPU memory, after the L2 cache was flushed. In ms.
    double kernel();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace common
