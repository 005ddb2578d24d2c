// Tests which blocks are tested however slow the emulation is.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "harness/device.hpp"
#include "harness/testing_variants.hpp"

namespace {

TEST(Blocks, extreme_ones_are_first) {
    const auto& blocks = harness::test_blocks();
    for (const common::Block& block : blocks) {
        const bool among_first = &block - blocks.data() < 3;
        EXPECT_EQ(block.threads() == 1024, among_first) << to_string(block);
    }
    EXPECT_EQ(blocks[3], (common::Block{1, 1}));
}

/// A variant that counts its calls and has no time to be emulated.
class NoTime : public testing::Test, protected harness::VariantTestBase {
  protected:
    static inline const common::VariantInfo info_ = [] {
        common::VariantInfo info{"cuda_copy", common::Backend::cuda, ""};
        info.on_device = true;
        return info;
    }();
    int calls_ = 0;
    NoTime() : VariantTestBase(info_) {}

    void expect_right_once() {
        harness::VariantCall call;
        call.variant = info_;
        call.in = cv::Mat(300, 300, CV_8UC1, cv::Scalar(1));
        call.out = harness::Shape::of(call.in);
        call.job.call = harness::HostCall([this](const cv::Mat& in, cv::Mat& out) {
            ++calls_;
            in.copyTo(out);
        });
        call.definition = [](const cv::Mat& in) -> harness::Check {
            return [in](const cv::Mat& out, const common::Agreement&) {
                return harness::compare(in, in, out);
            };
        };
        expect_right(call);
    }
};

TEST_F(NoTime, is_still_checked_where_the_test_says_always) {
    if (!harness::is_emulated(info_)) GTEST_SKIP() << "cannot run here: nothing is emulated";
    setenv("LABS_EMULATED_MS", "0", 1);
    expect_right_once();
    const int each = calls_;
    expect_right_once();
    EXPECT_EQ(calls_, each);
    check_always(true);
    expect_right_once();
    expect_right_once();
    EXPECT_EQ(calls_, 3 * each);
    check_always(false);
    expect_right_once();
    EXPECT_EQ(calls_, 3 * each);
    unsetenv("LABS_EMULATED_MS");
}

}  // namespace
