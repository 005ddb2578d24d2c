// omp_shuffle and omp_best have a version for each of several instruction sets. cuda_best has fewer
// histograms for GPUs with less shared memory, and works without clusters. All of them are right.

#include "cases.hpp"
#include "harness/testing_versions.hpp"
#include "harness/variants.hpp"
#include "problem/variant.hpp"

namespace {

class Versions : public harness::VersionTest<equalize::Variant> {
  protected:
    explicit Versions(std::string_view name)
        : VersionTest(harness::variant_named(equalize::variants(), name)) {}

    void expect_right(const cv::Mat& image, std::optional<common::Block> block = std::nullopt) {
        equalize::Options options = GetParam();
        options.block = block;
        VersionTest::expect_right(
            variant_call_for(variant_, harness::bind(variant_, options), image, "", block));
    }
};

struct InstructionSets : Versions {
    void expect_right_at_all_sizes() {
        for (const cv::Size& size : harness::test_sizes()) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height)));
        }
    }

    /// Levels at the borders of the parts into which a table is divided.
    void expect_right_at_borders() {
        for (const int first : {0, 15, 127, 128, 255}) {
            for (const int step : {1, 16, 127}) {
                ASSERT_NO_FATAL_FAILURE(expect_right(noise_of(301, 47, first, step)));
            }
        }
    }

    explicit InstructionSets(std::string_view name = "omp_best") : Versions(name) {}
};

struct Shuffle : InstructionSets {
    Shuffle() : InstructionSets("omp_shuffle") {}
};

struct DeviceLimits : Versions {
    DeviceLimits() : Versions("cuda_best") {}
};

TEST_P(InstructionSets, sizes) {
    expect_right_at_all_sizes();
}
TEST_P(Shuffle, sizes) {
    expect_right_at_all_sizes();
}

TEST_P(InstructionSets, levels) {
    expect_right_at_borders();
}
TEST_P(Shuffle, levels) {
    expect_right_at_borders();
}

/// Complete and incomplete chunks of pixels, which fit in shared memory or do not.
TEST_P(DeviceLimits, sizes) {
    for (const auto block : {std::optional<common::Block>{}, std::optional(common::Block{32, 8}),
                             std::optional(common::Block{32, 32})}) {
        for (const cv::Size& size : harness::test_sizes()) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height), block));
        }
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(4099, 4111), block));
        ASSERT_NO_FATAL_FAILURE(expect_right(noise_of(1000, 700, 255, 1), block));
    }
}

TEST_INSTRUCTION_SETS(InstructionSets, omp_best);
TEST_INSTRUCTION_SET(baseline, Shuffle, omp_shuffle);
TEST_INSTRUCTION_SET(avx2, Shuffle, omp_shuffle);
TEST_DEVICE_LIMITS(DeviceLimits, cuda_best);

}  // namespace
