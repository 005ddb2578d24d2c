// Buffers of images on the GPU: when they are allocated, and their padding.

#include <gtest/gtest.h>

#include <memory>
#include <opencv2/core.hpp>

#include "harness/device.hpp"
#include "harness/job.hpp"
#include "harness/measure.hpp"

namespace {

using harness::Job;
using harness::Runner;

/// Whether a call after `kernel` finds the buffers of `kernel`.
bool reuses_buffers(bool fresh_buffers) {
    bool found = false;
    const harness::DeviceCall call = [&](const auto&, const auto&, common::Scratch& scratch,
                                         cudaStream_t) {
        found = scratch.kept(0) != nullptr;
        scratch.kept(0) = std::make_shared<int>();
    };
    const Job job{.call = call, .transfers = {.fresh_buffers = fresh_buffers}};
    Runner runner(job, cv::Mat(4, 5, CV_8UC1, cv::Scalar(1)), {5, 4, CV_8UC1});
    runner.kernel();
    runner.call();
    return found;
}

/// Why kernels cannot run here, or nothing.
auto why_no_kernels() {
    return harness::why_unavailable(
        {.name = "cuda_kernel", .backend = common::Backend::cuda, .idea = "", .on_device = true});
}

TEST(Transfers, a_call_with_fresh_buffers_allocates_them_itself) {
    if (const auto why = why_no_kernels()) GTEST_SKIP() << "cannot run here: " << *why;
    EXPECT_FALSE(reuses_buffers(true));
    EXPECT_TRUE(reuses_buffers(false));
}

/// A kernel that takes the padding of a row for pixels has to give wrong values.
TEST(Transfers, padding_of_rows) {
    if (const auto why = why_no_kernels()) GTEST_SKIP() << "cannot run here: " << *why;
    const auto runner =
        harness::make_device_runner({.call = [](const auto&, const auto&, auto&, auto) {}},
                                    cv::Mat(4, 5, CV_8UC1, cv::Scalar(1)), {5, 4, CV_8UC1});
    const cv::Mat memory = runner->memory_of_input();
    ASSERT_GT(memory.cols, 5);
    EXPECT_NE(memory.at<uchar>(3, 5), 0);
}

}  // namespace
