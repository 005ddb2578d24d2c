// omp_best has a version for each of several instruction sets, and takes the best that the machine
// has. Here, each version that can run gives what the definition says.

#include "exercise.hpp"
#include "harness/scenes.hpp"
#include "harness/testing_instruction_sets.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"

namespace {

const integral::Variant& omp_best() {
    return common::variant_named(integral::variants(), "omp_best");
}

class InstructionSets : public common::InstructionSetTest {
  protected:
    InstructionSets() : InstructionSetTest(omp_best()) {}

    void expect_right(const cv::Mat& image) {
        integral::Options options;
        options.threads = 2;
        options.instruction_set = GetParam();
        InstructionSetTest::expect_right(
            exercise_for(omp_best(), integral::job_for(omp_best(), options), image, ""));
    }
};

/// Sums that stay in the caches, of one thread and of two, and such as are so large that they go
/// past them: at aligned addresses and at others.
TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(size.width, size.height)));
        if (size.area() > 1'000'000) continue;
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(size.width, size.height)));
    }
    for (const cv::Size& size : {cv::Size(2048, 1031), cv::Size(2053, 1031), cv::Size(701, 401)}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(size.width, size.height)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(size.width, size.height)));
    }
}

FOR_EACH_INSTRUCTION_SET(InstructionSets, omp_best);

}  // namespace
