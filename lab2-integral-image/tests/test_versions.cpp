// omp_best has a version for each of several instruction sets. cuda_best has smaller tiles for GPUs
// with less shared memory, and works without clusters. All of them are right.

#include "harness/testing_versions.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "variant_call.hpp"

namespace {

class Versions : public harness::VersionTest<integral::Variant> {
  protected:
    explicit Versions(std::string_view name)
        : VersionTest(harness::variant_named(integral::variants(), name)) {}

    /// Sums of 32 bits.
    void expect_right_bytes(int width, int height) { expect_right(bytes(width, height)); }

    /// Sums of 32 bits and of 64 bits.
    void expect_right_both(int width, int height) {
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(width, height)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(width, height)));
    }

  private:
    void expect_right(const cv::Mat& image) {
        const harness::Job job = integral::job_for(variant_, integral::Options{GetParam()});
        VersionTest::expect_right(variant_call_for(variant_, job, image, ""));
    }
};

struct InstructionSets : Versions {
    InstructionSets() : Versions("omp_best") {}
};

struct DeviceLimits : Versions {
    DeviceLimits() : Versions("cuda_best") {}
};

/// Sums that stay in the caches, of one thread and of two, and sums that do not fit in the caches;
/// at aligned addresses and at others.
TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        if (size.area() > 1'000'000) {
            ASSERT_NO_FATAL_FAILURE(expect_right_bytes(size.width, size.height));
        } else {
            ASSERT_NO_FATAL_FAILURE(expect_right_both(size.width, size.height));
        }
    }
    // Sums larger than the caches, which are written by non-temporal stores: rows shorter than a
    // cache line, and parts of rows at every alignment.
    for (const cv::Size& size : {cv::Size(2048, 1031), cv::Size(2053, 1031), cv::Size(701, 401),
                                 cv::Size(5, 450'001), cv::Size(33, 70'003), cv::Size(513, 4999)}) {
        ASSERT_NO_FATAL_FAILURE(expect_right_both(size.width, size.height));
    }
}

/// One tile and many, complete and incomplete ones.
TEST_P(DeviceLimits, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        ASSERT_NO_FATAL_FAILURE(expect_right_bytes(size.width, size.height));
    }
    for (const int width : {63, 64, 65, 127, 128, 129, 385}) {
        for (const int height : {63, 64, 65, 127, 128, 129, 257, 513}) {
            ASSERT_NO_FATAL_FAILURE(expect_right_both(width, height));
        }
    }
}

TEST_INSTRUCTION_SETS(InstructionSets, omp_best);
TEST_DEVICE_LIMITS(DeviceLimits, cuda_best);

}  // namespace
