// Which mistakes the second look does not name, though they explain some of the outputs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planted_calls.hpp"

namespace {

using testing::HasSubstr;
using testing::Not;

/// The variant adds two to dark values and three to others. Neither mistake does so, though each
/// image of one of them is explained.
TEST(Explanations, names_no_mistake_that_explains_each_output_in_another_way) {
    const auto add = [](const cv::Mat& in, cv::Mat& out) {
        const int more = in.ptr(0)[0] < 128 ? 2 : 3;
        changed(in, plus_one).copyTo(out);
        out += more - 1;
    };
    const auto call_on = [&](int level, bool in_one_way) {
        VariantCall call = call_for(add, cv::Mat(20, 12, CV_8UC1, cv::Scalar(level)), {});
        call.known_mistakes =
            [in_one_way](const cv::Mat& in) -> std::vector<harness::KnownMistake> {
            const auto adds = [in](const cv::Mat& out, int number) {
                return cv::norm(in + number, out, cv::NORM_INF) == 0;
            };
            const auto in_two_ways = [=](const cv::Mat& out) -> harness::Ways {
                return in_one_way ? adds(out, 2) || adds(out, 3)
                                  : (adds(out, 2) ? 1u : 0u) | (adds(out, 3) ? 2u : 0u);
            };
            return {{"two ways", in_two_ways},
                    {"two of a name", [=](const cv::Mat& out) { return adds(out, 2); }},
                    {"two of a name", [=](const cv::Mat& out) { return adds(out, 3); }}};
        };
        return call;
    };
    for (const bool in_one_way : {true, false}) {
        VariantCall call = call_on(20, in_one_way);
        call.probes = [&] {
            return std::vector{call_on(30, in_one_way), call_on(200, in_one_way)};
        };
        const std::string message = harness::check_call(call);
        EXPECT_EQ(message.find("looks like: two ways;") != std::string::npos, in_one_way);
        EXPECT_THAT(message, Not(HasSubstr("two of a name")));
    }
}

/// In code that only images of 30 columns reach. Images of one level contradict a mistake there,
/// too.
TEST(Explanations, a_mistake_that_no_probe_reaches) {
    for (const bool right_if_flat : {false, true}) {
        const auto adds_two = [=](const cv::Mat& in, cv::Mat& out) {
            const bool flat = cv::countNonZero(in.reshape(1) != in.data[0]) == 0;
            const bool right = in.cols != 30 || (flat && right_if_flat);
            changed(in, right ? plus_one : plus_two).copyTo(out);
        };
        const std::string message = message_for(adds_two, {{"two are added", plus_two}});
        EXPECT_EQ(
            message.find("looks like: two are added; other calls are right") != std::string::npos,
            !right_if_flat);
    }
}

TEST(Explanations, zeros_for_a_single_level_are_no_lost_result) {
    const auto clears = [](const cv::Mat&, cv::Mat& out) { out.setTo(0); };
    const auto message = [&](const cv::Mat& image) {
        VariantCall call = call_for(clears, image, {});
        call.probes = [=] { return std::vector{call_for(clears, image, {})}; };
        return harness::check_call(call);
    };
    EXPECT_THAT(message(cv::Mat(9, 7, CV_8UC1, cv::Scalar(40))),
                Not(HasSubstr("all values are 0")));
    EXPECT_THAT(message(harness::make_scene("random", 9, 7, 1)), HasSubstr("all values are 0"));
}

}  // namespace
