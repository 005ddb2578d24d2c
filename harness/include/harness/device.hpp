#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/job.hpp"

namespace harness {

/// The GPU that CUDA variants run on (the current device), or why there is none.
struct DeviceFacts {
    std::string why_unusable;  ///< empty if the GPU can be used
    std::string name;
    int gpus = 0;                ///< of this machine
    bool emulated = false;       ///< kernels run on the CPU and are checked
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

/// A line for each pair of GPUs: how one reaches the memory of the other, and the rate of a copy.
std::vector<std::string> gpu_links();

/// Never throws. The first call creates the context.
const DeviceFacts& device_facts();

/// The time that creating the context took, in ms. It is part of every CUDA variant's cold time.
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

/// The kernels that `job` launches for such an input, in order. They are found by capturing the
/// launches as a CUDA graph.
std::vector<KernelFacts> kernels_of(const Job& job, const cv::Mat& in, const Shape& out);

/// A device-to-device cudaMemcpy between two buffers of its own that moves `bytes` in all, reads
/// plus writes. Each call flushes the L2 cache, copies once, and returns ms. Throws Failed if the
/// buffers do not fit.
std::function<double()> device_copy(std::size_t bytes);

/// The fault that made the CUDA context of this process unusable (a misaligned address, say), or
/// nothing if the context works. Clears other errors.
std::optional<std::string> context_fault();

/// True if this build has code for the current GPU.
bool has_kernels();

/// From launch to finish of a kernel that does nothing, in ms, as DeviceRunner::kernel measures it.
double empty_kernel_ms();

/// The parts of a call's time, in ms. The CPU waits after each stage, so the sum may be larger than
/// the time of a call without these waits.
struct Stages {
    double allocation = 0;  ///< and freeing, if the buffers are fresh
    double upload = 0;      ///< with the copy to page-locked memory, if there is one
    double kernels = 0;
    double download = 0;
};

/// Tests fill the bytes around an image with this value, on the CPU and on the GPU.
inline constexpr unsigned char guard_byte = 0x3C;

/// A job with its buffers on the GPU and the transfers to and from them.
class DeviceRunner {
  public:
    virtual ~DeviceRunner() = default;

    /// Replaces the input of later calls by an image of the same shape.
    virtual void set_input(cv::Mat in) = 0;

    /// Fills the output buffer with `value`.
    virtual void fill_output(unsigned char value) = 0;

    /// All bytes of the image on the GPU: guard rows, rows and padding (CV_8UC1).
    virtual cv::Mat memory_of_input() = 0;
    virtual cv::Mat memory_of_output() = 0;

    /// Upload, kernels, download, as job.transfers says. Returns wall-clock ms.
    virtual double call(cv::Mat& out) = 0;

    /// Frees its own images and uses those of `other`, which have the same shapes and the same
    /// input. Not for jobs whose buffers are allocated for each call.
    virtual void share_images(DeviceRunner& other) = 0;

    /// The hash of the output in GPU memory; see fingerprint.hpp.
    virtual std::uint64_t fingerprint() = 0;

    /// Copies the output to host memory.
    virtual void download(cv::Mat& out) = 0;

    /// Does the same as `call`, and returns the time of each stage.
    virtual Stages stages(cv::Mat& out) = 0;

    /// The kernels without transfers, after the L2 cache was flushed, in ms.
    virtual double kernel() = 0;
};

/// Allocates the buffers; throws Failed with the bytes needed and free if they do not fit. `in` is
/// not copied: each call uploads its current content. With `guard_rows`, for tests, both images
/// have this number of additional rows above and below; these and the padding of rows are filled
/// with guard_byte.
std::unique_ptr<DeviceRunner> make_device_runner(Job job, cv::Mat in, const Shape& out,
                                                 int guard_rows = 0);

/// A thread of a launch: x, y and z of blockIdx and threadIdx.
struct ThreadIndex {
    std::array<unsigned, 3> block, thread;
    auto operator<=>(const ThreadIndex&) const = default;
};

/// The threads of one launch that load, or store, each byte of an image in GPU memory.
struct ImageUsers {
    std::string kernel;
    bool are_stores;
    std::size_t width;  ///< bytes of a row, without padding
    std::size_t rows;
    std::vector<std::vector<ThreadIndex>> threads;  ///< row by row; each thread once
};

/// Calls the function, and returns the users of each image, launch by launch. Empty where kernels
/// are not emulated.
std::vector<ImageUsers> image_users(const std::function<void()>& call);

}  // namespace harness
