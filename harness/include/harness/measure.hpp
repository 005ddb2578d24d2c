#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "common/scratch.hpp"
#include "harness/device.hpp"
#include "harness/job.hpp"
#include "harness/ranks.hpp"

namespace harness {

/// A variant on one input, with buffers, transfers and clocks.
class Runner {
  public:
    /// `out` is the shape of the lab's output. Throws what the allocation of GPU buffers throws,
    /// and Unsupported if a library call does not take such images.
    Runner(Job job, const cv::Mat& in, const Shape& out);

    /// Fills the output on the GPU and in host memory with a value, so that a check finds bytes
    /// that a variant does not write. Uses `threads` threads.
    void fill_output(unsigned char value, int threads = 1);

    /// Fills the output that `kernel` writes, on the GPU or in the ranks. Only if `has_transfers`.
    void fill_kernel_output(unsigned char value);

    /// Shares the images of `other` if they have the same shapes, so that a problem needs memory
    /// for one set only. Both runners must have been called before.
    void share_images(const Runner& other);

    /// From host image to host image, in wall-clock ms. On the CPU: the function alone.
    double call();

    /// The computation without transfers, in ms. On the CPU this is the function; on the GPU it is
    /// the kernels, between two events, after the L2 cache was flushed. For a job with transfers of
    /// its own it is the whole call. In ranks it is the function, without the distribution of rows.
    double kernel();

    /// True if the harness does the transfers, to the GPU or to ranks, so that `kernel` and `call`
    /// differ.
    bool has_transfers() const { return device_ || ranks_; }

    /// True if it uses the GPU, so that the first call creates the context.
    bool on_gpu() const { return job_.on_gpu(); }

    /// The times of the stages of a call; only if the harness does transfers to the GPU.
    Stages stages() { return device_->stages(out_); }

    /// The kernels of the job, likewise.
    std::vector<KernelFacts> kernels() const { return kernels_of(job_, in_, Shape::of(out_)); }

    /// The time of the last `kernel` in MPI functions; only of a job in ranks.
    double communication_ms() const { return ranks_->communication_ms(); }

    /// The output of the last call, as the lab defines it.
    cv::Mat result() const { return job_.result(out_); }

    /// A hash of the output of the last `call` in host memory, computed by `threads` threads.
    std::uint64_t fingerprint(int threads) const;

    /// The same for the output of the last `kernel`, which may be in GPU memory.
    std::uint64_t kernel_fingerprint(int threads);

    /// Copies the output of the last `kernel` to host memory, for `result`.
    void fetch();

    /// Each byte of the input read once, each byte of the output written once.
    std::size_t bytes() const { return Shape::of(in_).bytes() + Shape::of(out_).bytes(); }

  private:
    Job job_;
    cv::Mat in_;
    cv::Mat out_;
    std::unique_ptr<DeviceRunner> device_;
    std::optional<RankRunner> ranks_;
    Scratch scratch_;  ///< of a job that does its own transfers
};

/// Every single repeat, in ms.
struct Samples {
    std::vector<double> kernel_ms;
    std::vector<double> total_ms;
    std::vector<bool> disturbed;  ///< by other work on the machine

    std::size_t size() const { return kernel_ms.size(); }

    /// The part of all repeats that was disturbed, 0..1.
    double disturbed_part() const;
};

/// The first call, in ms. A fault that the emulation finds becomes a message that names `variant`.
double first_call(Runner& runner, const VariantInfo& variant);

/// Warms up, then takes `repeats` samples of `kernel` and of `call`.
Samples measure(Runner& runner, int repeats);

}  // namespace harness
