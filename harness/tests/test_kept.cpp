// The second look at variants that keep something of an earlier call, write a part of each row, or
// ignore the pitch.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "common/scratch.hpp"
#include "planted_calls.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Other values than those of the interior are right, so that the kept value does not explain the
/// whole output.
TEST(SecondLook, names_kept_options_of_a_part_of_the_image) {
    static int first = 0;  // added in the interior by all calls
    const auto check = [](int value) {
        return [value](const cv::Mat& in) -> harness::Check {
            return [right = cv::Mat(in + value)](const cv::Mat& out, const auto& agreement) {
                return harness::compare(right, right, out, agreement);
            };
        };
    };
    const auto message = [&](int now) {
        const auto adds = [now](const cv::Mat& in, cv::Mat& out) {
            first += first == 0 ? now : 0;
            cv::Mat(in + now).copyTo(out);
            const cv::Rect interior(1, 1, in.cols - 2, in.rows - 2);
            cv::Mat(in(interior) + first).copyTo(out(interior));
        };
        VariantCall one = call_for(adds, harness::make_scene("random", 30, 20, 1) / 3, {});
        one.definition = check(now);
        one.parameters = "add=" + std::to_string(now);
        one.options = now;
        one.kept_options = [=](const std::any& earlier, const cv::Mat& in, const cv::Mat& out) {
            const int kept = std::any_cast<int>(earlier);
            return harness::explains_wrong_values(check(now)(in), check(kept)(in), in + kept, out);
        };
        return harness::check_call(one);
    };
    EXPECT_EQ(message(1), "");
    EXPECT_THAT(message(2), HasSubstr("it has kept options of an earlier call (add=1)"));
}

/// A mask of zeros explains every wrong value that is 0.
TEST(SecondLook, one_wrong_value_is_no_kept_option) {
    const cv::Mat right = harness::make_scene("random", 30, 20, 1) / 2 + 1;
    const cv::Rect part(5, 4, 9, 7);
    const auto explains = [&](const cv::Mat& kept) {
        const auto check = [](const cv::Mat& expected) -> harness::Check {
            return [expected](const cv::Mat& out, const auto& agreement) {
                return harness::compare(expected, expected, out, agreement);
            };
        };
        cv::Mat out = right.clone();
        kept(part).copyTo(out(part));
        return harness::explains_wrong_values(check(right), check(kept), kept, out);
    };
    EXPECT_FALSE(explains(cv::Mat::zeros(right.size(), right.type())));
    EXPECT_TRUE(explains(right + 3));
}

/// A variant on the GPU that reads the image of its first call, or makes its copy again if the
/// image is another one.
TEST(SecondLook, names_what_is_kept_of_an_earlier_image) {
    const auto message = [](bool makes_it_again) {
        const harness::TransferringCall keeps = [=](const cv::Mat& in, cv::Mat& out,
                                                    common::Scratch& scratch) {
            std::shared_ptr<void>& kept = scratch.kept(0);
            const auto image = [&] { return *static_cast<const cv::Mat*>(kept.get()); };
            if (!kept || (makes_it_again && image().data != in.data)) {
                kept = std::make_shared<cv::Mat>(in);
            }
            const cv::Mat first = image();
            for (int y = 0; y < in.rows; ++y) {
                for (int x = 0; x < in.cols; ++x) {
                    const int last_x = first.cols - 1;
                    const int last_y = first.rows - 1;
                    out.ptr(y)[x] = plus_one(first.ptr(std::min(y, last_y))[std::min(x, last_x)]);
                }
            }
        };
        VariantCall call = call_for({}, harness::make_scene("random", 30, 20, 1), {});
        call.variant.name = makes_it_again ? "right" : "kept";
        call.job.call = keeps;
        return harness::check_call(call);
    };
    EXPECT_EQ(message(true), "");
    EXPECT_THAT(message(false), AllOf(HasSubstr("on 20x30x1"),
                                      HasSubstr("it keeps something of an earlier image")));
}

TEST(SecondLook, a_grid_of_pixels_where_a_thread_has_a_value) {
    for (const int rounded_to : {1, 32}) {
        const auto few = [=](const cv::Mat& in, cv::Mat& out) {
            const int count = (in.cols + rounded_to - 1) / rounded_to * rounded_to;
            const cv::Mat all = changed(in, plus_one);
            for (int y = 0; y < in.rows; ++y) {
                std::copy_n(all.ptr(y), std::min(count, 3 * in.cols), out.ptr(y));
            }
        };
        EXPECT_THAT(message_for(few, {}, 3), HasSubstr("a grid or a loop counts pixels (width)"))
            << rounded_to;
    }
}

/// Input and output without their pitch: each pixel is right, but for its place.
TEST(SecondLook, rows_without_pitch_on_both_sides) {
    const auto flat = [](const cv::Mat& in, cv::Mat& out) {
        const std::size_t bytes = in.total() * in.elemSize();
        std::transform(in.data, in.data + bytes, out.data, plus_one);
    };
    EXPECT_THAT(message_for(flat), HasSubstr("the padding of rows (the pitch) is ignored"));
}

}  // namespace
