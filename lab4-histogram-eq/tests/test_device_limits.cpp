// cuda_best has fewer counts for GPUs with less shared memory, and needs no clusters.

#include "cases.hpp"
#include "harness/testing_device_limits.hpp"
#include "harness/variants.hpp"
#include "problem/variant.hpp"

namespace {

const equalize::Variant& cuda_best() {
    return common::variant_named(equalize::variants(), "cuda_best");
}

class DeviceLimits : public common::DeviceLimitTest {
  protected:
    DeviceLimits() : DeviceLimitTest(cuda_best()) {}

    void expect_right(const cv::Mat& image, std::optional<common::Block> block) const {
        const equalize::Options options{.block = block, .device_limit = GetParam()};
        const common::Job job = common::bind(cuda_best(), options);
        EXPECT_EQ(common::judge(exercise_for(cuda_best(), job, image, "")), "");
    }
};

/// Whole chunks of pixels and parts, that shared memory has room for and more.
TEST_P(DeviceLimits, sizes) {
    for (const auto block : {std::optional<common::Block>{}, std::optional(common::Block{32, 8}),
                             std::optional(common::Block{32, 32})}) {
        for (const cv::Size& size : common::test_sizes()) {
            expect_right(noise(size.width, size.height), block);
        }
        expect_right(noise(4099, 4111), block);
        expect_right(noise_of(1000, 700, 255, 1), block);
    }
}

FOR_EACH_DEVICE_LIMIT(DeviceLimits, cuda_best);

}  // namespace
