// omp_best has a version for each of several instruction sets, and takes the best that the machine
// has. Here, each version that can run gives what the definition says.

#include "cases.hpp"
#include "harness/scenes.hpp"
#include "harness/testing_instruction_sets.hpp"
#include "harness/variants.hpp"
#include "problem/variant.hpp"

namespace {

const equalize::Variant& omp_best() {
    return common::variant_named(equalize::variants(), "omp_best");
}

class InstructionSets : public common::InstructionSetTest {
  protected:
    InstructionSets() : InstructionSetTest(omp_best()) {}

    void expect_right(const cv::Mat& image) {
        const equalize::Options options{.threads = 2, .block = {}, .instruction_set = GetParam()};
        InstructionSetTest::expect_right(
            exercise_for(omp_best(), common::bind(omp_best(), options), image, ""));
    }
};

TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height)));
    }
}

/// Levels at the borders of the parts into which a table is divided.
TEST_P(InstructionSets, levels) {
    for (const int first : {0, 15, 127, 128, 255}) {
        for (const int step : {1, 16, 127}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise_of(301, 47, first, step)));
        }
    }
}

FOR_EACH_INSTRUCTION_SET(InstructionSets, omp_best);

}  // namespace
