#pragma once

#include <memory>
#include <opencv2/core.hpp>

#include "common/rank_functions.hpp"
#include "common/ranks.hpp"
#include "harness/job.hpp"

namespace harness {

using namespace common;

/// The rows of a rank in GPU memory.
class DeviceRows {
  public:
    virtual ~DeviceRows() = default;

    /// Copies `in` to the GPU at the first call. Fills the output and the halo rows with `fill`.
    virtual void prepare(const cv::Mat& in, unsigned char fill) = 0;

    /// Calls the function and waits for its kernels; returns ms between two events. If `gated`, as
    /// for kernels of one GPU: after the L2 cache was flushed, with all work launched before.
    virtual double call(const RankFunction& function, const std::byte* options, Scratch& scratch,
                        const Ranks& ranks, bool gated) = 0;

    virtual void download(cv::Mat& out) = 0;

    /// Of output rows that begin at `first_row` of the image.
    virtual std::uint64_t fingerprint(int first_row) = 0;
};

/// On the GPU of this number modulo the number of GPUs.
std::unique_ptr<DeviceRows> make_device_rows(const Shape& in, const Shape& out, int halo,
                                             int number);

}  // namespace harness
