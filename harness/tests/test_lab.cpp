// Labs whose description is incomplete.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "harness/lab.hpp"
#include "harness/measure.hpp"
#include "harness/testing.hpp"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class IncompleteLab : public testing::Test {
  protected:
    const fs::path folder_ = harness::test_folder();
    const std::string out_ = (folder_ / "out.png").string();
    harness::Lab lab_;

    IncompleteLab() {
        lab_.fastest = {"seq"};
        lab_.variants = {{"seq", common::Backend::seq, "copies"}};
        lab_.variants[0].optimised = true;  // also where these tests are not
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// A problem of a variant that copies its input.
    static harness::Problem copy(const harness::ImageSource& input, const common::VariantInfo& info,
                                 const common::RunOptions& options) {
        harness::Problem problem;
        problem.input = input;
        const harness::HostCall call = [](const cv::Mat& in, cv::Mat& out) { in.copyTo(out); };
        problem.trials = {{info, options, {call}, "", {}}};
        return problem;
    }

    int run(std::initializer_list<const char*> arguments) const {
        std::vector<const char*> all{"lab9"};
        all.insert(all.end(), arguments);
        return harness::run_lab(lab_, static_cast<int>(all.size()), all.data());
    }

    void expect_named(std::initializer_list<const char*> arguments, const std::string& member) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(run(arguments), 1);
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  "error: this lab does not define " + member + "\n");
    }
};

TEST_F(IncompleteLab, needs_no_options_of_its_own) {
    lab_.problem = copy;
    EXPECT_EQ(run({"list"}), 0);
    EXPECT_EQ(run({"run", "random:8x8", "--output", out_.c_str()}), 0);
    EXPECT_TRUE(fs::exists(out_));
}

TEST_F(IncompleteLab, is_not_timed_if_it_is_not_optimised) {
    lab_.problem = copy;
    lab_.experiments = {{"some", "an experiment", {}}};
    lab_.variants[0].optimised = false;
    testing::internal::CaptureStderr();
    EXPECT_EQ(run({"bench", "--csv-dir", folder_.c_str()}), 2);
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                testing::MatchesRegex("error: nothing is timed: this build is not optimised "
                                      "\\([^\n]*\\); configure it with "
                                      "-DCMAKE_BUILD_TYPE=Release\n"));
    testing::internal::CaptureStderr();
    EXPECT_EQ(run({"run", "random:8x8", "--output", out_.c_str()}), 0);
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                testing::StartsWith("note: its times say nothing: this build is not optimised"));
}

TEST_F(IncompleteLab, names_the_member_that_it_does_not_define) {
    EXPECT_EQ(run({"list"}), 0);
    expect_named({"run", "random:8x8", "--output", out_.c_str()}, "Lab::problem");
    lab_.problem = copy;
    expect_named({"run", "random:8x8", "--verify", "--output", out_.c_str()}, "Problem::check");
    EXPECT_FALSE(fs::exists(out_));
    expect_named({"device"}, "Problem::operations");
}

}  // namespace
