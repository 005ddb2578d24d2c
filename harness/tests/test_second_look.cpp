// The second look at a wrong variant: which mistake is named, and when none is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/scenes.hpp"
#include "harness/testing.hpp"
#include "harness/testing_scan.hpp"

namespace {

using harness::VariantCall;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Change = uchar (*)(uchar value);

cv::Mat changed(const cv::Mat& in, Change change) {
    cv::Mat out(in.size(), in.type());
    for (int y = 0; y < in.rows; ++y) {
        for (int i = 0; i < in.cols * in.channels(); ++i) out.ptr(y)[i] = change(in.ptr(y)[i]);
    }
    return out;
}

uchar plus_one(uchar value) {
    return static_cast<uchar>(value + 1);
}
uchar plus_two(uchar value) {
    return static_cast<uchar>(value + 2);
}
uchar plus_two_above_100(uchar value) {
    return static_cast<uchar>(value + (value > 100 ? 2 : 1));
}

/// A variant that should add one, on an image; `mistakes` are the known ones.
VariantCall call_for(const harness::HostCall& variant, const cv::Mat& image,
                     const std::vector<std::pair<std::string, Change>>& mistakes) {
    VariantCall call;
    call.variant.name = "planted";
    call.job.call = variant;
    call.in = image;
    call.out = harness::Shape::of(image);
    call.parameters = "none";
    call.expected = [](const cv::Mat& in) { return changed(in, plus_one); };
    call.definition = [](const cv::Mat& in) -> harness::Check {
        return [expected = changed(in, plus_one)](const cv::Mat& out,
                                                  const common::Agreement& agreement) {
            return harness::compare(expected, expected, out, agreement);
        };
    };
    call.known_mistakes = [mistakes](const cv::Mat& in) {
        std::vector<harness::KnownMistake> all;
        for (const auto& [name, change] : mistakes) {
            all.push_back({name, harness::is([in, change = change] { return changed(in, change); }),
                           "a page"});
        }
        return all;
    };
    return call;
}

std::string message_for(const harness::HostCall& variant,
                        const std::vector<std::pair<std::string, Change>>& mistakes = {},
                        int channels = 1) {
    const auto scene = [channels](int width, int height) {
        return harness::make_scene("random", width, height, channels);
    };
    VariantCall call = call_for(variant, scene(30, 20), mistakes);
    call.in_detail = true;
    call.probes = [=] {
        return std::vector{call_for(variant, scene(20, 12), mistakes),
                           call_for(variant, scene(9, 7), mistakes)};
    };
    return harness::check_call(call);
}

harness::HostCall with(Change change) {
    return [change](const cv::Mat& in, cv::Mat& out) { changed(in, change).copyTo(out); };
}

TEST(SecondLook, names_the_mistake_that_gives_the_same_values) {
    EXPECT_THAT(
        message_for(with(plus_two), {{"two are added", plus_two}, {"none", plus_one}}),
        AllOf(HasSubstr("looks like: two are added;"), HasSubstr("\n    explained in a page"),
              HasSubstr("\n    20x12, none, columns and rows around (x=0, y=0):"),
              HasSubstr("expected"), HasSubstr("got (* is wrong)")));
}

TEST(SecondLook, names_two_if_both_do) {
    EXPECT_THAT(message_for(with(plus_two), {{"a", plus_two}, {"b", plus_two}}),
                HasSubstr("looks like: a; or: b;"));
}

TEST(SecondLook, names_none_if_none_does_everywhere) {
    EXPECT_THAT(message_for(with(plus_two_above_100), {{"two are added", plus_two}}),
                Not(HasSubstr("looks like")));
    EXPECT_THAT(message_for(with(plus_two), {{"a", plus_two}, {"b", plus_two}, {"c", plus_two}}),
                Not(HasSubstr("looks like")));
}

// The call that failed is then the second wrong one: the picture is still that of the first.
TEST(SecondLook, shows_the_only_small_image_that_is_wrong) {
    const auto wide_only = [](const cv::Mat& in, cv::Mat& out) {
        changed(in, in.cols > 10 ? plus_two : plus_one).copyTo(out);
    };
    EXPECT_THAT(message_for(wide_only), HasSubstr("\n    20x12, none, columns and rows around"));
}

TEST(SecondLook, tells_addition_to_garbage_from_values_never_written) {
    const auto adds = [](const cv::Mat& in, cv::Mat& out) {
        for (int y = 0; y < in.rows; ++y) {
            for (int x = 0; x < in.cols; ++x) {
                out.ptr(y)[x] = static_cast<uchar>(out.ptr(y)[x] + in.ptr(y)[x] + 1);
            }
        }
    };
    EXPECT_THAT(message_for(adds), HasSubstr("looks like: the result is added to what the output"));
}

TEST(SecondLook, says_what_is_never_written) {
    const auto without = [](int c, int last_rows) {
        return [=](const cv::Mat& in, cv::Mat& out) {
            for (int y = 0; y < in.rows - last_rows; ++y) {
                for (int i = 0; i < in.cols * in.channels(); ++i) {
                    if (i % in.channels() != c) out.ptr(y)[i] = plus_one(in.ptr(y)[i]);
                }
            }
        };
    };
    EXPECT_THAT(message_for(without(1, 0), {}, 3), HasSubstr("never written: channel 1"));
    EXPECT_THAT(message_for(without(-1, 1), {}, 3), HasSubstr("never written: row 11 (the last)"));
    EXPECT_THAT(message_for([](auto&, auto&) {}), HasSubstr("the output is never written"));
}

TEST(SecondLook, tells_garbage_that_is_read_from_a_race) {
    const auto reads = [](const cv::Mat& in, cv::Mat& out) {
        const uchar before = out.ptr(0)[0];
        changed(in, plus_one).copyTo(out);
        out.ptr(3)[2] ^= before;
    };
    EXPECT_THAT(message_for(reads), HasSubstr("depends on what the output held before the call"));
}

TEST(SecondLook, names_an_ignored_pitch) {
    const auto packed = [](const cv::Mat& in, cv::Mat& out) {
        for (int y = 0; y < in.rows; ++y) {
            for (int x = 0; x < in.cols; ++x) out.data[y * in.cols + x] = plus_one(in.ptr(y)[x]);
        }
    };
    EXPECT_THAT(message_for(packed), HasSubstr("the padding of rows (the pitch) is ignored"));
}

TEST(WrongScans, differ_from_a_right_one_in_long_rows) {
    std::vector<std::int64_t> values(3000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::int64_t>((i * 7919 + 13) % 251);
    }
    const auto right = harness::scanned(values, {});
    for (const harness::WrongScan& scan : harness::wrong_scans()) {
        EXPECT_NE(harness::scanned(values, scan.rules), right) << scan.name;
    }
    EXPECT_EQ(harness::scanned(values, {.segment = 32}), right);
    EXPECT_EQ(harness::scanned(values, {.parts = 7}), right);
}

}  // namespace
