#pragma once

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "harness/device.hpp"
#include "harness/job.hpp"

namespace common {

/// A variant on one input: the harness's buffers, transfers and clocks around its function.
class Runner {
  public:
    /// `out` is the shape of the lab's output. Throws what the allocation of GPU buffers throws,
    /// and Unsupported if a library call does not take such images.
    Runner(Job job, const cv::Mat& in, const Shape& out);

    /// Fills the output (on the GPU and here, with `threads` threads) with a value, so that what is
    /// not written shows.
    void poison(unsigned char value, int threads = 1);

    /// The same on the GPU only; only if `has_transfers`.
    void poison_device(unsigned char value) { device_->poison(value); }

    /// Uses the images of `other` where they have the same shapes, so that the runners of a problem
    /// need memory for one set. Both must have been called.
    void share_images(const Runner& other);

    /// From host image to host image, in wall-clock ms. On the CPU: the function alone.
    double call();

    /// The computation alone, in ms: on the CPU the function, on the GPU its kernels between
    /// events with the L2 cache flushed before. A job that does its own transfers cannot be divided
    /// like that: this is its whole call.
    double kernel();

    /// Whether the harness does the transfers, so that `kernel` and `call` differ.
    bool has_transfers() const { return device_.has_value(); }

    /// Whether the first call pays for the GPU's context.
    bool on_gpu() const { return job_.on_gpu(); }

    /// Where the time of a call goes; only if `has_transfers`.
    Stages stages() { return device_->stages(out_); }

    /// The kernels of the job; only if `has_transfers`.
    std::vector<KernelFacts> kernels() const { return kernels_of(job_, in_, Shape::of(out_)); }

    /// The output of the last call, as the lab defines it.
    cv::Mat result() const { return job_.result(out_); }

    /// A hash of the output of the last `call`, in host memory, computed by `threads` threads; and
    /// of the last `kernel`, where that is.
    std::uint64_t fingerprint(int threads) const;
    std::uint64_t kernel_fingerprint(int threads);

    /// Brings the output of the last `kernel` to host memory, where `result` finds it.
    void fetch();

    /// Each byte of the input read once, each byte of the output written once.
    std::size_t bytes() const { return Shape::of(in_).bytes() + Shape::of(out_).bytes(); }

  private:
    Job job_;
    cv::Mat in_;
    cv::Mat out_;
    std::optional<DeviceRunner> device_;
    Scratch scratch_;  ///< of a job that does its own transfers
};

/// Every single repeat, in ms.
struct Samples {
    std::vector<double> kernel_ms;
    std::vector<double> total_ms;
    std::vector<bool> disturbed;  ///< by other work on the machine, as far as it was watched

    std::size_t size() const { return kernel_ms.size(); }

    /// The part of all repeats that was disturbed, 0..1.
    double disturbed_part() const;
};

/// Warms up, then takes `repeats` samples of each clock. Without transfers both are the same call.
Samples measure(Runner& runner, int repeats);

/// GFLOP/s (1e9 float operations, two per multiply-add) of `threads` threads that do nothing else,
/// in registers, with the widest vectors that this CPU has.
double host_fma_gflop_per_s(int threads);

/// GB/s (1e9 bytes, reads plus writes) of a plain copy that moves `bytes` in all: a cudaMemcpy
/// within the GPU's memory, or a memcpy shared out to `threads` threads.
double copy_gb_per_s(std::size_t bytes, bool on_device, int threads);

}  // namespace common
