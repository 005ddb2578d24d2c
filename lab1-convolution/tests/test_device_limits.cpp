// cuda_best leaves GPUs without the matrix products that it uses to cuda_registers.

#include "exercise.hpp"
#include "harness/scenes.hpp"
#include "harness/testing_device_limits.hpp"
#include "harness/variants.hpp"
#include "masks.hpp"

namespace {

const convolution::Variant& cuda_best() {
    return common::variant_named(convolution::variants(), "cuda_best");
}

class DeviceLimits : public common::DeviceLimitTest {
  protected:
    DeviceLimits() : DeviceLimitTest(cuda_best()) {}
};

TEST_P(DeviceLimits, sizes) {
    const common::RunOptions run{.block = {}, .device_limit = GetParam()};
    for (const cv::Size& size : common::test_sizes()) {
        for (const int channels : {1, 3}) {
            const cv::Mat image = common::make_scene("random", size.width, size.height, channels);
            const convolution::Mask mask = asymmetric_mask(3);
            const common::Job job = common::bind(cuda_best(), convolution::Options{run, mask});
            EXPECT_EQ(common::judge(exercise_for(cuda_best(), job, image, mask, "")), "");
        }
    }
}

FOR_EACH_DEVICE_LIMIT(DeviceLimits, cuda_best);

}  // namespace
