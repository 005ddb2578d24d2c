// Tests which configurations of an emulated kernel are checked: a fixed list, however slow it is.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/device.hpp"
#include "harness/testing_variants.hpp"
#include "testing/testing_choice.hpp"

namespace {

harness::VariantCall call_of(cv::Size size, const std::string& parameters, int type = CV_8UC1) {
    harness::VariantCall call;
    call.in = cv::Mat(size, type, cv::Scalar(1));
    call.out = harness::Shape::of(call.in);
    call.parameters = parameters;
    return call;
}

std::vector<harness::VariantCall> all_masks() {
    std::vector<harness::VariantCall> calls;
    for (const int radius : {1, 2, 3, 4, 5}) {
        for (const char* kind : {"gauss", "box"}) {
            for (const int type : {CV_8UC1, CV_8UC3}) {
                calls.push_back(call_of({37, 29}, fmt::format("mask={}{}", kind, radius), type));
            }
        }
    }
    return calls;
}

TEST(Choice, has_each_value_once) {
    const auto calls = all_masks();
    std::set<std::string> radii;
    std::set<int> types;
    const auto chosen = harness::choose(calls, 0);
    for (const std::size_t i : chosen) {
        radii.insert(calls[i].parameters.substr(calls[i].parameters.size() - 1));
        types.insert(calls[i].in.type());
    }
    EXPECT_EQ(chosen.size(), 5u);
    EXPECT_EQ(radii.size(), 5u);
    EXPECT_EQ(types.size(), 2u);
}

TEST(Choice, has_pairs_of_values_where_there_is_room) {
    const auto calls = all_masks();
    const auto chosen = harness::choose(calls, 1e9);
    EXPECT_EQ(chosen.size(), 10u);  // each radius with each kind, and with each type
    EXPECT_EQ(chosen.front(), 0u);
}

TEST(Choice, replaces_what_a_variant_refuses) {
    const auto calls = all_masks();
    harness::Choice choice(calls, 0);
    std::set<std::string> masks;
    while (const auto i = choice.next()) {
        const bool is_refused = calls[*i].in.type() == CV_8UC1;
        is_refused ? choice.drop(*i) : choice.take(*i);
        if (!is_refused) masks.insert(calls[*i].parameters.substr(calls[*i].parameters.size() - 1));
    }
    EXPECT_EQ(masks.size(), 5u);
}

TEST(Choice, tells_contents_apart) {
    const std::vector<harness::VariantCall> calls(3, call_of({5, 5}, ""));
    EXPECT_THAT(harness::choose(calls, 0), testing::ElementsAre(0, 1, 2));
}

TEST(Choice, leaves_out_what_differs_in_every_call) {
    std::vector<harness::VariantCall> calls;
    for (int i = 0; i < 40; ++i) {
        calls.push_back(call_of({20 + i, 9}, fmt::format("seed={};method={}", i, i % 2)));
    }
    EXPECT_EQ(harness::choose(calls, 0, 16).size(), 2u);
}

/// A variant that counts its calls.
class Emulated : public testing::Test, protected harness::VariantTestBase {
  protected:
    static inline const common::VariantInfo info_ = [] {
        common::VariantInfo info{"cuda_copy", common::Backend::cuda, ""};
        info.on_device = true;
        return info;
    }();
    int calls_ = 0;
    Emulated() : VariantTestBase(info_) {}

    void offer(int width, double work) {
        harness::VariantCall call = call_of({width, 300}, "");
        call.variant = info_;
        call.work = work;
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

TEST_F(Emulated, variants_get_the_chosen_calls_when_the_test_is_over) {
    if (!harness::is_emulated(info_)) GTEST_SKIP() << "cannot run here: nothing is emulated";
    offer(300, 1);
    offer(301, 1);
    offer(302, 100);  // too much
    EXPECT_EQ(calls_, 0);
    testing::internal::CaptureStdout();
    report();
    EXPECT_THAT(testing::internal::GetCapturedStdout(),
                testing::AllOf(testing::HasSubstr("configurations: 2 checked, 0 refused\n"),
                               testing::HasSubstr("left out, as it is emulated: 1\n")));
    EXPECT_GE(calls_, 4);
}

TEST_F(Emulated, variants_get_one_call_even_if_it_is_too_much) {
    if (!harness::is_emulated(info_)) GTEST_SKIP() << "cannot run here: nothing is emulated";
    offer(300, 200);
    offer(300, 100);
    testing::internal::CaptureStdout();
    report();
    EXPECT_THAT(testing::internal::GetCapturedStdout(),
                testing::HasSubstr("configurations: 1 checked, 0 refused\n"));
}

}  // namespace
