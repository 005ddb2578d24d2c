// The second look at a wrong variant: which mistake is named, and when none is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <thread>

#include "harness/testing_random.hpp"
#include "planted_calls.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

uchar plus_two_above_100(uchar value) {
    return static_cast<uchar>(value + (value > 100 ? 2 : 1));
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

/// The definition allows one or two to be added: two is right, and three is wrong.
TEST(SecondLook, marks_no_value_that_the_definition_allows) {
    const auto add = [](const cv::Mat& in, cv::Mat& out) {
        changed(in, [](uchar value) { return static_cast<uchar>(value + 2); }).copyTo(out);
        out.at<uchar>(1, 1) = static_cast<uchar>(in.at<uchar>(1, 1) + 3);
    };
    VariantCall call = call_for(add, cv::Mat(4, 4, CV_8UC1, cv::Scalar(10)), {});
    call.definition = [](const cv::Mat& in) -> harness::Check {
        return [low = changed(in, plus_one), high = changed(in, plus_two)](
                   const cv::Mat& out, const common::Agreement& agreement) {
            return harness::compare(low, high, out, agreement);
        };
    };
    const std::string message = harness::check_call(call);
    EXPECT_THAT(message, AllOf(HasSubstr("12 13*12 12"), Not(HasSubstr("12*"))));
}

TEST(SecondLook, names_two_if_both_do) {
    EXPECT_THAT(message_for(with(plus_two), {{"b", plus_two}, {"a", plus_two}}),
                HasSubstr("looks like: b; or: a;"));
    EXPECT_THAT(
        message_for(
            with(plus_two),
            {{"a", plus_two}, {"b", plus_two}, {"c", plus_two}, {"d", plus_two}, {"e", plus_two}}),
        HasSubstr("looks like: a; or: b; and 3 more give the same values;"));
}

TEST(SecondLook, names_no_mistake_that_the_call_that_failed_contradicts) {
    const auto by_size = [](const cv::Mat& in, cv::Mat& out) {
        changed(in, plus_two).copyTo(out);
        if (in.total() > 300) out.ptr(0)[0] = 0;  // no probe is as large
    };
    EXPECT_THAT(message_for(by_size, {{"two are added", plus_two}}), Not(HasSubstr("looks like")));
}

/// Of a variant on images of small values.
VariantCall dark_call(const harness::HostCall& variant,
                      const std::vector<std::pair<std::string, Change>>& mistakes) {
    const auto image = [](int width, int height) {
        return cv::Mat(harness::make_scene("random", width, height, 1) / 3);
    };
    VariantCall call = call_for(variant, image(30, 20), mistakes);
    call.probes = [=] {
        return std::vector{call_for(variant, image(20, 12), mistakes),
                           call_for(variant, image(9, 7), mistakes)};
    };
    return call;
}

TEST(SecondLook, tells_mistakes_apart_by_further_images) {
    const auto one_at_200 = [](uchar value) {
        return static_cast<uchar>(value + (value == 200 ? 1 : 2));
    };
    const std::string message =
        check_call(dark_call(with(plus_two), {{"but not 200", one_at_200}, {"two", plus_two}}));
    EXPECT_THAT(message, HasSubstr("looks like: two;"));
    EXPECT_THAT(message, Not(HasSubstr("but not 200")));
}

TEST(SecondLook, names_two_at_once_where_no_single_one_explains_the_values) {
    const auto call_with = [](const std::vector<std::pair<std::string, Change>>& single) {
        const auto both = [](VariantCall call) {
            call.known_pairs = call_for({}, call.in, {{"a; and b", plus_two}}).known_mistakes;
            return call;
        };
        VariantCall call = both(dark_call(with(plus_two), single));
        call.probes = [probes = call.probes, both] {
            std::vector<VariantCall> all = probes();
            for (VariantCall& one : all) one = both(one);
            return all;
        };
        return check_call(call);
    };
    EXPECT_THAT(call_with({{"none", plus_one}}), HasSubstr("looks like: a; and b;"));
    EXPECT_THAT(call_with({{"one", plus_two}}), HasSubstr("looks like: one;"));
}

TEST(SecondLook, tells_of_one_image) {
    const std::string message = message_for(with(plus_two));
    EXPECT_THAT(message, AllOf(HasSubstr("WRONG planted on 20x12x1 (none): first wrong value"),
                               HasSubstr("\n    20x12, none, columns and rows"),
                               HasSubstr("; difference image: "),
                               HasSubstr("\n    found first on 30x20x1 (none)")));
}

TEST(SecondLook, names_none_if_none_does_everywhere) {
    EXPECT_THAT(message_for(with(plus_two_above_100), {{"two are added", plus_two}}),
                Not(HasSubstr("looks like")));
}

// The message shows the small image, although the call that failed is wrong too.
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
    const auto but_part = [](const cv::Mat& in, cv::Mat& out) {
        const cv::Mat kept = out(cv::Rect(7, 0, 2, 3)).clone();
        changed(in, plus_one).copyTo(out);
        kept.copyTo(out(cv::Rect(7, 0, 2, 3)));
    };
    EXPECT_THAT(message_for(but_part), HasSubstr("never written: columns 7 to 8 of rows 0 to 2"));
    EXPECT_THAT(message_for(without(0, 0)), HasSubstr(", never written (165 was there before); "));
}

TEST(SecondLook, says_that_x_runs_to_the_height) {
    const auto part = [](int width, int height) {
        return [=](const cv::Mat& in, cv::Mat& out) {
            const cv::Rect whole(0, 0, in.cols, in.rows);
            const cv::Rect kept =
                whole & cv::Rect(0, 0, width > 0 ? width : in.rows, height > 0 ? height : in.cols);
            changed(in(kept), plus_one).copyTo(out(kept));
        };
    };
    EXPECT_THAT(message_for(part(0, 0)), HasSubstr("columns 12 to 19; x runs to the height"));
    EXPECT_THAT(message_for(part(13, 99)), Not(HasSubstr("runs to the")));
}

TEST(SecondLook, tells_garbage_that_is_read_from_a_race) {
    const auto reads = [](const cv::Mat& in, cv::Mat& out) {
        const uchar before = out.ptr(0)[0];
        changed(in, plus_one).copyTo(out);
        out.ptr(3)[2] ^= before;
    };
    EXPECT_THAT(message_for(reads), HasSubstr("depends on what the output held before the call"));
}

TEST(SecondLook, tells_calls_that_differ_from_garbage_that_is_read) {
    // The values depend on the number of the call, not on what the output held before.
    int calls = 0;
    int rows = 0;
    const auto alternates = [&](const cv::Mat& in, cv::Mat& out) {
        if (in.rows != rows) calls = 0;
        rows = in.rows;
        changed(in, plus_one).copyTo(out);
        const bool odd = ++calls > 1 && calls % 2 == 1;
        out.ptr(3)[2] = static_cast<uchar>(out.ptr(3)[2] + (odd ? 1 : 2));
    };
    EXPECT_THAT(message_for(alternates), AllOf(HasSubstr("looks like: two runs differ, with one "
                                                         "thread too: it keeps something"),
                                               Not(HasSubstr("what the output held"))));
}

TEST(SecondLook, tells_a_race_from_something_that_is_kept) {
    const auto changes_with_threads = [](const cv::Mat& in, cv::Mat& out) {
        static int calls = 0;
        int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
        ++threads;
        changed(in, plus_one).copyTo(out);
        out.ptr(3)[2] = static_cast<uchar>(out.ptr(3)[2] + (threads > 1 ? ++calls % 3 : 1));
    };
    EXPECT_THAT(message_for(changes_with_threads),
                HasSubstr("looks like: two runs differ: a race (a lost update?)"));
}

TEST(SecondLook, does_not_exclude_a_race_of_other_threads) {
    const auto races = [calls = 0](const cv::Mat& in, cv::Mat& out) mutable {
        std::jthread([&] { changed(in, ++calls % 3 == 0 ? plus_one : plus_two).copyTo(out); });
    };
    EXPECT_THAT(message_for(races), HasSubstr("two runs differ: a race (a lost update?)"));
}

TEST(SecondLook, names_kept_options) {
    static int first = 0;  // added by all calls
    const auto message = [](int now) {
        const auto adds = [now](const cv::Mat& in, cv::Mat& out) {
            cv::Mat(in + (first += first == 0 ? now : 0)).copyTo(out);
        };
        const auto call = [=](int width, int height) {
            VariantCall one =
                call_for(adds, harness::make_scene("random", width, height, 1) / 3, {});
            one.definition = [now](const cv::Mat& in) -> harness::Check {
                return [right = cv::Mat(in + now)](const cv::Mat& out, const auto& agreement) {
                    return harness::compare(right, right, out, agreement);
                };
            };
            one.parameters = "add=" + std::to_string(now);
            one.options = now;
            one.kept_options = [](const std::any& earlier, const cv::Mat& in, const cv::Mat& out) {
                return cv::norm(in + std::any_cast<int>(earlier), out, cv::NORM_INF) == 0;
            };
            return one;
        };
        return harness::check_call(call(30, 20));
    };
    EXPECT_EQ(message(1), "");
    EXPECT_THAT(message(2), HasSubstr("it has kept options of an earlier call (add=1)"));
}

TEST(SecondLook, says_that_a_variant_reads_outside_the_input) {
    for (const int rows : {-1, 1, 20, -20}) {
        const auto reads = [rows](const cv::Mat& in, cv::Mat& out) {
            changed(in, plus_one).copyTo(out);
            const int y = rows < 0 ? rows : in.rows - 1 + rows;
            out.ptr(3)[2] = in.data[y * static_cast<int>(in.step[0])];
        };
        EXPECT_THAT(message_for(reads), HasSubstr("looks like: it reads outside the input"))
            << rows;
    }
}

TEST(RandomCases, a_case_is_reduced_to_valid_values_only) {
    harness::RandomCases cases{{harness::one_of("channels", {1, 3, 4, 11})}, {}};
    cases.variant_call = [](const harness::Case& chosen) {
        return call_for({}, cv::Mat(2, 2, CV_8UC(chosen.number("channels"))), {});
    };
    harness::RandomSettings settings;
    settings.cases = 100;
    std::ostringstream log;
    const auto fails = [](const VariantCall& call) -> std::string {
        return call.in.channels() > 1 ? "WRONG" : "";
    };
    EXPECT_THAT(run_random(cases, settings, "{}", fails, log),
                testing::ContainsRegex("channels=3$"));
    settings.only = "channels=2";
    EXPECT_THROW(run_random(cases, settings, "{}", fails, log), common::BadUsage);
}

TEST(RandomCases, large_images_come_with_any_other_value) {
    harness::RandomCases cases{
        harness::joined({harness::size_parameters(1), {harness::one_of("work", {1, 3, 100})}}), {}};
    cases.variant_call = [](const harness::Case& chosen) {
        const cv::Size size(chosen.number("width"), chosen.number("height"));
        VariantCall call = call_for({}, cv::Mat(size, CV_8UC1), {});
        call.work = chosen.number("work");
        return call;
    };
    harness::RandomSettings settings;
    settings.cases = 1;
    settings.large = 30;
    settings.most_work_of_large = 5e6;
    std::map<double, int> areas;  // by work
    const auto keep = [&](const VariantCall& call) -> std::string {
        const int area = call.in.cols * call.in.rows;
        EXPECT_LE(area * call.work, 5e6);
        areas[call.work] = std::max(areas[call.work], area);
        return "";
    };
    std::ostringstream log;
    EXPECT_EQ(run_random(cases, settings, "{}", keep, log), "");
    EXPECT_GT(areas[1], 500'000);
    EXPECT_GT(areas[3], 500'000);
    EXPECT_GT(areas[100], 20'000);
    EXPECT_EQ(make_large_case(cases, settings, 3), make_large_case(cases, settings, 3));
}

TEST(SecondLook, names_an_ignored_pitch) {
    const auto packed = [](const cv::Mat& in, cv::Mat& out) {
        for (int y = 0; y < in.rows; ++y) {
            for (int x = 0; x < in.cols; ++x) out.data[y * in.cols + x] = plus_one(in.ptr(y)[x]);
        }
    };
    EXPECT_THAT(message_for(packed), HasSubstr("the padding of rows (the pitch) is ignored"));
}

}  // namespace
