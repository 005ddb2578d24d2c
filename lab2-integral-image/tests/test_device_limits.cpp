// cuda_best has smaller tiles for GPUs with less shared memory, and needs no clusters.

#include "exercise.hpp"
#include "harness/testing_device_limits.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"

namespace {

const integral::Variant& cuda_best() {
    return common::variant_named(integral::variants(), "cuda_best");
}

class DeviceLimits : public common::DeviceLimitTest {
  protected:
    DeviceLimits() : DeviceLimitTest(cuda_best()) {}

    void expect_right(const cv::Mat& image) const {
        integral::Options options;
        options.device_limit = GetParam();
        const common::Job job = integral::job_for(cuda_best(), options);
        EXPECT_EQ(common::judge(exercise_for(cuda_best(), job, image, "")), "");
    }
};

/// One tile and many, whole ones and such as are cut.
TEST_P(DeviceLimits, sizes) {
    for (const cv::Size& size : common::test_sizes()) expect_right(bytes(size.width, size.height));
    for (const int width : {63, 64, 65, 127, 128, 129, 385}) {
        for (const int height : {63, 64, 65, 127, 128, 129, 257, 513}) {
            expect_right(bytes(width, height));
            expect_right(wide(width, height));
        }
    }
}

FOR_EACH_DEVICE_LIMIT(DeviceLimits, cuda_best);

}  // namespace
