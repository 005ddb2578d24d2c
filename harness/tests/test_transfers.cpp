// A call from host image to host image contains the allocation of fresh buffers.

#include <gtest/gtest.h>

#include <memory>
#include <opencv2/core.hpp>

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

TEST(Transfers, a_call_with_fresh_buffers_allocates_them_itself) {
    const common::VariantInfo kernel{
        .name = "cuda_kernel", .backend = common::Backend::cuda, .idea = "", .on_device = true};
    if (const auto why = harness::why_unavailable(kernel))
        GTEST_SKIP() << "cannot run here: " << *why;
    EXPECT_FALSE(reuses_buffers(true));
    EXPECT_TRUE(reuses_buffers(false));
}

}  // namespace
